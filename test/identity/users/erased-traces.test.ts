import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { addUser, defaultTenantId, PASSWORD, signIn } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { eventually } from '../../support/probes/eventually.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { dropRegistrations } from '../../support/builders/registration-cleanup.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const service = newServiceKey();

describe('the audit log of somebody whose account is gone', () => {
  let mailed: MailedPlatform;
  let platform: Platform;

  beforeAll(async () => {
    mailed = await MailedPlatform.start({ ...service.env, NODE_ENV: 'development' });
    platform = mailed.platform;
  });
  afterAll(() => mailed.close());

  it('does not tell of what was asked for before anybody looked whose address it is', async () => {
    const email = 'ann@people.test';
    const headers = { 'user-agent': 'Ann-s-browser', 'x-request-id': 'ann.at.people.test' };
    await platform.request('POST', '/v1/auth/login', { body: { email, password: PASSWORD }, headers });
    const { id } = await addUser(platform, await defaultTenantId(platform), { email });
    await platform.request('POST', '/v1/auth/password-reset-request', { body: { email }, headers });
    await signIn(platform, email);
    const before = await auditRows(platform, "user_agent = 'Ann-s-browser'");

    await platform.as(service.key).delete(`/v1/auth/users/${id}`);
    await isErased(id);
    const left = await auditRows(platform, "user_agent = 'Ann-s-browser' OR request_id = 'ann.at.people.test'");
    const named = await auditRows(platform, 'actor_id = ANY ($1) OR target_id = ANY ($1)', [
      [id, ...before.map(({ actor_id: actor }) => actor)],
    ]);

    expect(before.map(({ action, actor_type: type }) => [action, type])).toEqual([
      ['user.sign_in', 'unknown'],
      ['password.request_reset', 'unknown'],
    ]);
    expect([left, named]).toEqual([[], []]);
    expect((await platform.as(mailed.sysadmin).get('/v1/admin/audit-logs/verify')).body).toMatchObject({ valid: true });
  });

  it('does not tell of a registration that was never confirmed', async () => {
    const headers = { 'user-agent': 'Bob-s-browser' };
    const body = { email: 'bob@people.test', password: PASSWORD, name: 'Bob' };
    const { body: bob } = await platform.request('POST', '/v1/auth/register', { body, headers });
    const before = await auditRows(platform, "user_agent = 'Bob-s-browser'");

    await platform.query("UPDATE users SET confirm_before = now() - interval '1 minute' WHERE id = $1", [bob.id]);
    await dropRegistrations(platform);
    await isErased(bob.id);

    expect(before.map(({ action }) => action)).toEqual(['user.register']);
    expect(await auditRows(platform, "user_agent = 'Bob-s-browser'")).toEqual([]);
    expect(await auditRows(platform, 'actor_id = $1 OR target_id = $1', [bob.id])).toEqual([]);
    expect(await auditRows(platform, "action = 'user.delete' AND reason LIKE 'the address was not%'")).toHaveLength(1);
  });

  it('tells that an invitation has taken the place of a registration', async () => {
    const email = 'cleo@people.test';
    const registered = await platform.request('POST', '/v1/auth/register', {
      body: { email, password: PASSWORD, name: 'Cleo' },
    });
    const invitation = { email, name: 'Cleo', privileges: ['user'] };

    const invited = await platform.as(mailed.sysadmin).post('/v1/admin/users', invitation);
    await isErased(registered.body.id);

    const rows = await auditRows(platform, "action = 'user.delete' AND reason LIKE 'an invitation%'");
    expect(invited.status).toBe(201);
    expect(rows).toMatchObject([{ actor_type: 'user', target_type: 'user' }]);
    expect(await auditRows(platform, 'target_id = $1', [registered.body.id])).toEqual([]);
  });

  it('is erased once more, for what another process was about to write', async () => {
    const { id, tenantId } = await addUser(platform, await defaultTenantId(platform));
    const { dataSource } = platform.app.database;
    const late = new AuditRecorder(dataSource, await openSecretBox(platform.config, dataSource, []));
    await platform.as(service.key).delete(`/v1/auth/users/${id}`);
    await isErased(id);

    const client = { address: '192.0.2.66', serverRequestId: 's-1' };
    await late.recordRefusal({ type: 'user', id, client }, { tenantId, action: 'access.deny', reason: 'late' }, 60);
    await platform.query("UPDATE jobs.job SET start_after = now() WHERE name = 'erase-user-again'");
    await eventually('it is erased again', 20, async () => (await tracesOf(id)) === 0);

    expect(await auditRows(platform, "ip = '192.0.2.66'")).toEqual([]);
    expect((await platform.as(mailed.sysadmin).get('/v1/admin/audit-logs/verify')).body).toMatchObject({ valid: true });
  });

  it('has no name of a request that its client has not named', async () => {
    const email = 'dora@people.test';
    await addUser(platform, await defaultTenantId(platform), { email });

    const { user } = await signIn(platform, email);

    expect(await auditRows(platform, 'actor_id = $1', [user.id])).toMatchObject([
      { request_id: null, server_request_id: expect.any(String) },
    ]);
  });

  async function isErased(id: string): Promise<void> {
    await eventually('the user is erased', 20, async () => {
      return (await platform.query('SELECT FROM users WHERE id = $1', [id])).length === 0;
    });
  }

  async function tracesOf(id: string): Promise<number> {
    const refusals = await platform.query('SELECT FROM audit_refusals WHERE actor_id = $1', [id]);
    return refusals.length + (await auditRows(platform, 'actor_id = $1 OR target_id = $1', [id])).length;
  }
});
