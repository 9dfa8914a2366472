import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openSocketAs } from '../../support/builders/graphql-clients.js';
import { CHAT } from '../../support/builders/chat-request.js';
import { ApiToken } from '../../../src/identity/tokens/api-token.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { chunk, stream } from '../../support/servers/scripted-backend.js';
import { addApiToken, addSignedInAdmin, addSignedInUser, addTenant, whoAmI } from '../../support/builders/accounts.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a personal access token as credential', () => {
  const gateway = useGateway();

  afterEach(() => void jest.restoreAllMocks());

  it('stands for its user', async () => {
    const { token } = await addApiToken(gateway.platform, gateway.token);

    const { status, body } = await use(token);
    const { body: graphql } = await gateway.platform.graphql('{ me { email } }', {}, token);

    expect([status, body.email]).toEqual([200, gateway.platform.admin.email]);
    expect(graphql.data.me.email).toBe(gateway.platform.admin.email);
  });

  it('is looked up once', async () => {
    const { token } = await addApiToken(gateway.platform, gateway.token);
    const lookUps = countLookUps();

    for (let turn = 0; turn < 5; turn += 1) expect((await use(token)).status).toBe(200);

    expect(lookUps()).toBe(1);
  });

  it('is refused by its form alone', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    const secret = token.split('.')[1] ?? '';
    const lookUps = countLookUps();

    const malformed = [
      `svc_${id}`,
      `svc_${id}.`,
      `svc_${id}.${secret.slice(1)}`,
      `svc_${id}.${secret}x`,
      `svc_${id}.${secret}.x`,
      `svc_${id.toUpperCase()}.${secret}`,
      `svc_${id.slice(4)}.${secret}`,
      `svc_usr_${id.slice(4)}.${secret}`,
      `SVC_${id}.${secret}`,
      `${id}.${secret}`,
      `svc_tok_${'z'.repeat(26)}.${secret}`,
      'svc_.',
      `svc_${'x'.repeat(4_000)}`,
    ];
    for (const credential of malformed) expectRefused(await use(credential));

    expect(lookUps()).toBe(0);
  });

  it('is refused with the secret of another, and is no worse for it', async () => {
    const [one, other] = [
      await addApiToken(gateway.platform, gateway.token),
      await addApiToken(gateway.platform, gateway.token),
    ];

    expectRefused(await use(`svc_${one.id}.${other.token.split('.')[1]}`));
    expectRefused(await use(`svc_${one.id}.${newSecret()}`));

    expect([(await use(one.token)).status, (await use(other.token)).status]).toEqual([200, 200]);
  });

  it('is found quickly in a flood of tokens that do not exist', async () => {
    const { token } = await addApiToken(gateway.platform, gateway.token);
    const { authenticator } = gateway.platform.app.ports;
    const bad = Array.from({ length: 2_000 }, () => `Bearer svc_${newId('tok')}.${newSecret()}`);
    const lookUps = countLookUps();

    const flood = Promise.allSettled(bad.map((authorization) => authenticator.verify(authorization)));
    const good = await authenticator.verify(`Bearer ${token}`);
    const refused = await flood;
    const again = await Promise.allSettled(bad.map((authorization) => authenticator.verify(authorization)));

    expect(good.credential).toBe('pat');
    expect([...refused, ...again].every(({ status }) => status === 'rejected')).toBe(true);
    expect(lookUps()).toBeLessThanOrEqual(12);
  });

  it('is not looked up again and again with a wrong secret', async () => {
    const { id } = await addApiToken(gateway.platform, gateway.token);
    const wrong = `svc_${id}.${newSecret()}`;
    const lookUps = countLookUps();

    for (let turn = 0; turn < 5; turn += 1) expectRefused(await use(wrong));

    expect(lookUps()).toBe(1);
  });

  it('has expired at its time, also when it has been used before', async () => {
    const { token, expiresAt, closed } = await usedBeforeItExpires();

    expect(await closed).toBe(4403);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    expectRefused(await use(token), 'token_expired');
  });

  it('that has expired is told so to those who know its secret alone', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    await tokens().update({ id }, { expiresAt: new Date(Date.now() - 1_000) });

    expectRefused(await use(token), 'token_expired');
    expectRefused(await use(`svc_${id}.${newSecret()}`));
  });

  it('ends when it is deleted, sockets and streams included', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    const { closed } = await openSocketAs({ url: gateway.platform.url, token });
    gateway.backend.answer(stream(chunk({ content: 'Hel' }), new Promise(() => undefined)));
    const body = { ...CHAT, stream: true };
    const response = await gateway.platform.send('POST', '/v1/chat/completions', { token, body });

    await remove(id);

    expect(await closed).toBe(4403);
    const text = await response.text();
    expect(text).toContain('"reason":"token_revoked"');
    expect(text).not.toContain('[DONE]');
    expectRefused(await use(token), 'token_revoked');
  });

  it('that is deleted is told so to those who know its secret alone, also after a restart', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    await remove(id);

    await gateway.platform.restart();

    expectRefused(await use(token), 'token_revoked');
    expectRefused(await use(`svc_${id}.${newSecret()}`));
  });

  it('does nothing for users who are suspended, and works again when they are not', async () => {
    const user = await addSignedInUser(gateway.platform);
    const { token } = await addApiToken(gateway.platform, user.token);

    await users().update({ id: user.id }, { status: 'suspended' });
    expectRefused(await use(token), 'token_revoked');
    await users().update({ id: user.id }, { status: 'active', userVersion: 2 });

    expect((await use(token)).status).toBe(200);
  });

  it('is worth nothing without its user', async () => {
    const user = await addSignedInUser(gateway.platform);
    const { token } = await addApiToken(gateway.platform, user.token);

    await users().delete({ id: user.id });

    expectRefused(await use(token));
  });

  it('gives no privilege that its user does not have', async () => {
    const user = await addSignedInAdmin(gateway.platform, await addTenant(gateway.platform));
    const { token } = await addApiToken(gateway.platform, user.token);
    const readTenant = async () => (await gateway.get(`/v1/admin/tenants/${user.tenantId}`, { token })).status;
    expect(await readTenant()).toBe(200);

    await users().update({ id: user.id }, { privileges: ['user'] });
    await gateway.platform.restart();

    expect(await readTenant()).toBe(403);
  });

  it('tells when it was last used, though no request waits for it', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    const lastUsedAt = async () => (await tokens().findOneByOrFail({ id })).lastUsedAt;
    const query = jest.spyOn(gateway.platform.app.database.dataSource, 'query');
    const startedAt = Date.now();

    for (let turn = 0; turn < 20; turn += 1) await use(token);
    while (!(await lastUsedAt())) await use(token);

    expect((await lastUsedAt())?.getTime()).toBeGreaterThanOrEqual(startedAt);
    // Other tests' tokens may be written meanwhile.
    const writes = query.mock.calls.filter(([sql]) => sql.includes('UPDATE api_tokens'));
    expect(writes.filter(([, values]) => JSON.stringify(values).includes(id))).toHaveLength(1);
  });

  it('has its last use written when the server stops', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);

    await use(token);
    await gateway.platform.restart();

    expect((await tokens().findOneByOrFail({ id })).lastUsedAt).not.toBeNull();
  });

  /** A token that expires soon, and has been used before, for a request and a socket, however slow the machine is. */
  async function usedBeforeItExpires() {
    for (let milliseconds = 800; ; milliseconds *= 2) {
      const { id, token } = await addApiToken(gateway.platform, gateway.token);
      const expiresAt = Date.now() + milliseconds;
      await tokens().update({ id }, { expiresAt: new Date(expiresAt) });
      const { status } = await use(token);
      const { closed } = await openSocketAs({ url: gateway.platform.url, token });
      if (Date.now() >= expiresAt) continue;
      expect(status).toBe(200);
      return { token, expiresAt, closed };
    }
  }

  function use(token: string) {
    return whoAmI(gateway.platform, token);
  }

  function remove(id: string) {
    return gateway.request('DELETE', `/v1/api-tokens/${id}`);
  }

  function tokens() {
    return gateway.platform.app.database.dataSource.getRepository(ApiToken);
  }

  function users() {
    return gateway.platform.app.database.dataSource.getRepository(User);
  }

  function expectRefused({ status, body, headers }: RestAnswer, reason?: string) {
    expect([status, body.error.code, body.error.reason]).toEqual([401, 'unauthorized', reason]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  }

  /** How often tokens are looked up from now on. */
  function countLookUps() {
    const query = jest.spyOn(gateway.platform.app.database.dataSource, 'query');
    return () => query.mock.calls.filter(([sql]) => sql.includes('FROM api_tokens AS token')).length;
  }
});

function newSecret() {
  return randomBytes(32).toString('base64url');
}
