import { describe, expect, it, jest } from '@jest/globals';
import { RateLimited } from '../../../src/errors.js';
import { SignInAudit } from '../../../src/identity/authentication/sign-in-audit.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { addSignedInUser, addUser, defaultTenantId, PASSWORD } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('sign-ins that fail', () => {
  const platform = usePlatform({ TRUST_PROXY: '127.0.0.1/32' });

  it.each(['suspended', 'disabled'] as const)('are told of with the status of the account: %s', async (status) => {
    const user = await addUser(platform, await defaultTenantId(platform), { status });

    const right = await signIn(user.email, '192.0.2.1');
    const wrong = await signIn(user.email, '192.0.2.1', 'not the password at all');

    const rows = await auditRows(platform, 'target_id = $1', [user.id]);
    expect(right).toMatchObject({ status: 401, body: wrong.body });
    expect(rows.map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
      `failure: the account is ${status}`,
      'failure: the credentials are wrong',
    ]);
  });

  it('do not fill the log, however many names one address tries', async () => {
    const answers: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      answers.push((await signIn(`nobody-${index}@nowhere.test`, '198.51.100.5')).status);
    }

    const rows = await auditRows(platform, "ip = '198.51.100.5'");
    const counted = await platform.query('SELECT FROM audit_refusals WHERE network = $1', ['198.51.100.5']);
    expect(answers.filter((status) => status === 429)).toHaveLength(30);
    expect(rows.filter(({ outcome }) => outcome === 'failure')).toHaveLength(30);
    expect(rows.filter(({ outcome }) => outcome === 'denied')).toHaveLength(1);
    expect(counted).toHaveLength(2);
  });

  it('do not fill the log, however many networks somebody has rented', async () => {
    for (let index = 1; index <= 33; index += 1) await signIn(`lost-${index}@nowhere.test`, `2001:db8:5:${index}::1`);

    expect(await auditRows(platform, "ip LIKE '2001:db8:5:%'")).toHaveLength(30);
  });

  it('of which the throttle refuses many at once are few statements', async () => {
    const { dataSource } = platform.app.database;
    const secretBox = await openSecretBox(platform.config, dataSource, []);
    const audit = new SignInAudit({ audit: new AuditRecorder(dataSource, secretBox), secretBox });
    const transactions = jest.spyOn(dataSource, 'transaction');
    const flood = Array.from({ length: 50 }, () => refuse(audit, '192.0.2.77'));

    await Promise.allSettled(flood);

    const counted = await platform.query('SELECT count FROM audit_refusals WHERE network = $1', ['192.0.2.77']);
    expect(counted).toEqual([{ count: 50 }]);
    expect(transactions.mock.calls.length).toBeLessThan(10);
    transactions.mockRestore();
  });

  it('with a password in place of the address keep nothing of it', async () => {
    await signIn('My-S3cret@Passw0rd', '192.0.2.3');

    expect(await auditRows(platform, "ip = '192.0.2.3'")).toMatchObject([
      { actor_type: 'unknown', actor_id: null, target_id: null },
    ]);
  });

  it('by a refresh token are told of with their reason', async () => {
    await refresh('nonsense', '192.0.2.4');
    const user = await addSignedInUser(platform);
    const { body } = await signIn(user.email, '192.0.2.5');
    await platform.request('POST', '/v1/auth/logout', { body: { refresh_token: body.refresh_token } });

    await refresh(body.refresh_token, '192.0.2.5');
    await refresh(body.refresh_token, '192.0.2.5');

    const rows = await auditRows(platform, "action = 'session.refresh' AND outcome = 'denied'");
    expect(rows).toMatchObject([
      { actor_type: 'unknown', actor_id: null, ip: '192.0.2.4', reason: 'the refresh token is not known' },
      { actor_type: 'user', actor_id: user.id, target_id: user.id, reason: 'the session has ended' },
    ]);
  });

  function refuse(audit: SignInAudit, address: string): Promise<never> {
    const error = new RateLimited('Too many.', { limit: 1, remaining: 0, resetSeconds: 1 });
    const client = { address, serverRequestId: 's-1' };
    return audit.attempt(
      client,
      undefined,
      () => Promise.resolve(null),
      () => Promise.reject(error),
    );
  }

  function signIn(email: string, address: string, password = PASSWORD): Promise<RestAnswer> {
    return post('/v1/auth/login', address, { email, password });
  }

  function refresh(token: string, address: string): Promise<RestAnswer> {
    return post('/v1/auth/refresh', address, { refresh_token: token });
  }

  function post(path: string, address: string, body: object): Promise<RestAnswer> {
    const headers = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' };
    return platform.request('POST', path, { body, headers });
  }
});
