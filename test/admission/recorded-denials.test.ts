import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInAdmin, addSignedInUser, addStaffedTenant } from '../support/builders/accounts.js';
import type { StaffedTenant } from '../support/builders/accounts.js';
import { auditRows } from '../support/probes/audit-rows.js';
import { openSocket } from '../support/builders/graphql-clients.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('the audit log', () => {
  const platform = usePlatform(newServiceKey().env);
  let tenant: StaffedTenant;

  beforeAll(async () => {
    tenant = await addStaffedTenant(platform);
  });

  it('tells what somebody without the privilege has tried', async () => {
    const { id, token } = tenant.user;

    await platform.as(token).get('/v1/admin/users');
    await platform.graphql('{ auditLogs { totalCount } }', {}, token);

    expect(await denials(id)).toEqual([
      'users: This needs the privilege admin.',
      'auditLogs: This needs the privilege admin.',
    ]);
  });

  it('tells that a token of an administrator lacked the scope', async () => {
    const admin = await addSignedInAdmin(platform, tenant.id);
    const { token } = await addApiToken(platform, admin.token, ['chat:write']);

    await platform.as(token).get('/v1/admin/users');

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

    for (let time = 0; time < 3; time += 1) await platform.as(admin.token).request(method, path, { body });

    expect(await denials(admin.id)).toEqual([told]);
  });

  it.each([
    ['DELETE', '/v1/auth/users/usr_01h45ytscbebyvny4gc8cr8ma2', 'deleteUser'],
    ['POST', '/v1/auth/admin/set-password', 'setPassword'],
  ])('tells of a wrong service key: %s %s', async (method, path, operation) => {
    await platform.query('DELETE FROM audit_refusals');

    const { status } = await platform.as(`key_test.${'x'.repeat(40)}`).request(method, path, { body: {} });
    await platform.as(`key_other.${'y'.repeat(40)}`).request(method, path, { body: {} });

    const rows = await auditRows(platform, "action = 'access.deny' AND target_id = $1", [operation]);
    expect(status).toBe(401);
    expect(rows).toMatchObject([
      { actor_type: 'unknown', tenant_id: null, ip: '127.0.0.1', reason: 'A valid service key is required.' },
    ]);
  });

  it('tells that a user has tried what is for services', async () => {
    const { id, token } = await addSignedInAdmin(platform, tenant.id);

    await platform.as(token).delete(`/v1/auth/users/${id}`);

    expect(await denials(id)).toEqual(['deleteUser: A valid service key is required.']);
  });

  it('counts each of the fields of a document once', async () => {
    const { id, token } = await addSignedInUser(platform, tenant.id);

    await platform.graphql('{ users { totalCount } auditLogs { totalCount } }', {}, token);

    const counted = await platform.query('SELECT target_id, count FROM audit_refusals WHERE actor_id = $1', [id]);
    expect(new Set(counted)).toEqual(
      new Set([
        { target_id: 'users', count: 1 },
        { target_id: 'auditLogs', count: 1 },
      ]),
    );
  });

  it.each([
    ['me', 'token_revoked', (token: string) => platform.as(token).get('/v1/auth/me')],
    ['_entities', 'token_revoked', (token: string) => platform.graphql(REFERENCES, {}, token)],
    ['connection_init', '4403', (token: string) => closeCode(token)],
  ])('tells that a revoked token was used: %s', async (operation, told, use) => {
    await platform.query('DELETE FROM audit_refusals');
    const { token } = await addSignedInAdmin(platform, tenant.id);
    await platform.request('POST', '/v1/auth/logout', { body: { access_token: token } });

    const refused = await use(token);

    const rows = await auditRows(platform, "action = 'access.deny' AND reason LIKE '%revoked%' AND target_id = $1", [
      operation,
    ]);
    expect(JSON.stringify(refused)).toContain(told);
    expect(rows).toMatchObject([{ actor_type: 'unknown', target_type: 'operation', ip: '127.0.0.1' }]);
  });

  it('says nothing of whoever comes without a credential', async () => {
    await platform.query('DELETE FROM audit_refusals');

    await platform.request('GET', '/v1/admin/users');
    await platform.request('DELETE', '/v1/auth/users/usr_01h45ytscbebyvny4gc8cr8ma2');

    expect(await platform.query('SELECT FROM audit_refusals')).toEqual([]);
  });

  /** The code by which a socket is closed that comes with a token. */
  async function closeCode(token: string): Promise<number> {
    const socket = openSocket(platform.url);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  }

  /** What somebody was denied, each as `operation: reason`. */
  async function denials(userId: string): Promise<string[]> {
    const rows = await auditRows(platform, "action = 'access.deny' AND actor_id = $1", [userId]);
    return rows.map(({ target_id: operation, reason }) => `${operation}: ${reason}`);
  }
});

const REFERENCES =
  '{ _entities(representations: [{ __typename: "User", id: "usr_1" }, { __typename: "Tenant", id: "ten_1" }]) { __typename } }';
