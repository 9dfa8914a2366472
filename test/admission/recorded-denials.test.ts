import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInAdmin, addStaffedTenant } from '../support/accounts.js';
import type { StaffedTenant } from '../support/accounts.js';
import { auditRows } from '../support/audit-rows.js';
import { startPlatform } from '../support/platform.js';
import type { Platform, RestAnswer } from '../support/platform.js';
import { newServiceKey } from '../support/service-key.js';

describe('the audit log', () => {
  let platform: Platform;
  let tenant: StaffedTenant;

  beforeAll(async () => {
    platform = await startPlatform(newServiceKey().env);
    tenant = await addStaffedTenant(platform);
  });
  afterAll(() => platform.close());

  it('tells what somebody without the privilege has tried', async () => {
    const { id, token } = tenant.user;

    await ask('GET', '/v1/admin/users', token);
    await platform.graphql('{ auditLogs { totalCount } }', {}, token);

    expect(await denials(id)).toEqual([
      'users: This needs the privilege admin.',
      'auditLogs: This needs the privilege admin.',
    ]);
  });

  it('tells that a token of an administrator lacked the scope', async () => {
    const admin = await addSignedInAdmin(platform, tenant.id);
    const { token } = await addApiToken(platform, admin.token, ['chat:write']);

    await ask('GET', '/v1/admin/users', token);

    expect(await denials(admin.id)).toEqual(['users: This token lacks the scope admin:read.']);
  });

  it.each([
    [
      'a privilege that one lacks',
      'updateUser: You cannot give the privilege sysadmin, since you lack it.',
      ({ user }: StaffedTenant) =>
        ['PATCH', `/v1/admin/users/${user.id}`, { privileges: ['user', 'sysadmin'] }] as const,
    ],
    [
      'the chain of the platform',
      "auditLogs: The platform's chain is for sysadmins alone.",
      () => ['GET', '/v1/admin/audit-logs?tenant_id=platform'] as const,
    ],
    [
      'the chain of another tenant',
      'auditVerification: The tenant does not exist.',
      () => ['GET', '/v1/admin/audit-logs/verify?tenant_id=ten_01h45ytscbebyvny4gc8cr8ma2'] as const,
    ],
    [
      'an export of another tenant',
      'auditLogExport: The tenant does not exist.',
      () => ['GET', '/v1/admin/audit-logs?format=csv&tenant_id=ten_01h45ytscbebyvny4gc8cr8ma2'] as const,
    ],
  ])('tells that an administrator has tried what is not theirs: %s', async (_what, told, request) => {
    const admin = await addSignedInAdmin(platform, tenant.id);
    const [method, path, body] = request(tenant);

    for (let time = 0; time < 3; time += 1) await ask(method, path, admin.token, body);

    expect(await denials(admin.id)).toEqual([told]);
  });

  it.each([
    ['DELETE', '/v1/auth/users/usr_01h45ytscbebyvny4gc8cr8ma2', 'deleteUser'],
    ['POST', '/v1/auth/admin/set-password', 'setPassword'],
  ])('tells of a wrong service key: %s %s', async (method, path, operation) => {
    await platform.query('DELETE FROM audit_refusals');

    const { status } = await ask(method, path, `key_test.${'x'.repeat(40)}`, {});
    await ask(method, path, `key_other.${'y'.repeat(40)}`, {});

    const rows = await auditRows(platform, "action = 'access.deny' AND target_id = $1", [operation]);
    expect(status).toBe(401);
    expect(rows).toMatchObject([
      { actor_type: 'unknown', tenant_id: null, ip: '127.0.0.1', reason: 'A valid service key is required.' },
    ]);
  });

  it('tells that a user has tried what is for services', async () => {
    const { id, token } = await addSignedInAdmin(platform, tenant.id);

    await ask('DELETE', `/v1/auth/users/${id}`, token);

    expect(await denials(id)).toEqual(['deleteUser: A valid service key is required.']);
  });

  it('tells that a revoked token was used', async () => {
    await platform.query('DELETE FROM audit_refusals');
    const { token } = await addSignedInAdmin(platform, tenant.id);
    await platform.request('POST', '/v1/auth/logout', { body: { access_token: token } });

    const { body } = await ask('GET', '/v1/auth/me', token);

    const rows = await auditRows(platform, "action = 'access.deny' AND reason LIKE '%revoked%'");
    expect(body.error.reason).toBe('token_revoked');
    expect(rows).toMatchObject([{ actor_type: 'unknown', target_type: 'operation', target_id: 'me' }]);
  });

  it('says nothing of whoever comes without a credential', async () => {
    await platform.query('DELETE FROM audit_refusals');

    await platform.request('GET', '/v1/admin/users');
    await platform.request('DELETE', '/v1/auth/users/usr_01h45ytscbebyvny4gc8cr8ma2');

    expect(await platform.query('SELECT FROM audit_refusals')).toEqual([]);
  });

  function ask(method: string, path: string, token: string, body?: object): Promise<RestAnswer> {
    return platform.request(method, path, { token, body });
  }

  /** What somebody was denied, each as `operation: reason`. */
  async function denials(userId: string): Promise<string[]> {
    const rows = await auditRows(platform, "action = 'access.deny' AND actor_id = $1", [userId]);
    return rows.map(({ target_id: operation, reason }) => `${operation}: ${reason}`);
  }
});
