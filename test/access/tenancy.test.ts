import { beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInAdmin, addSignedInUser, addTenant, addUser } from '../support/builders/accounts.js';
import { usePlatform } from '../support/servers/use-servers.js';
import { BACKEND, CALLERS, OPERATIONS, UNKNOWN } from './tenancy-operations.js';
import type { Operation, Target } from './tenancy-operations.js';

describe("what is a tenant's", () => {
  const platform = usePlatform({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
  let tenant: string;
  let user: string;
  let sysadmin: string;
  /** Of the callers, in their order. */
  let tokens: readonly (string | undefined)[];

  beforeAll(async () => {
    await addCallers();
  });

  it.each(OPERATIONS)('%s', async (_name, operation, expected) => {
    const statuses = [];
    for (const token of tokens) statuses.push(statusOf(await askForTheirs(operation, token)));

    const named = (values: readonly number[]) => Object.fromEntries(CALLERS.map((who, index) => [who, values[index]]));
    expect(named(statuses)).toEqual(named(expected));
  });

  it.each(OPERATIONS.filter(([, , expected]) => expected[3] === 404))(
    '%s: another’s is answered as what does not exist',
    async (_name, operation) => {
      const stranger = tokens[3];

      const theirs = await askForTheirs(operation, stranger);
      const unknown = await ask(operation, UNKNOWN, stranger);

      expect([theirs.status, theirs.body]).toEqual([unknown.status, unknown.body]);
    },
  );

  it('the quota of a user is for itself and its administrators', async () => {
    const QUOTAS = '{ me { id tenant { users { edges { node { id quota { percentUsed } } } } } } }';

    const [byUser, byAdmin] = [
      await platform.graphql(QUOTAS, {}, tokens[1]),
      await platform.graphql(QUOTAS, {}, tokens[2]),
    ];

    expect(byUser.body.errors[0].extensions.status).toBe(403);
    expect(byAdmin.body.errors).toBeUndefined();
    expect(byAdmin.body.data.me.tenant.users.edges.length).toBeGreaterThan(2);
  });

  it('backends are listed for their administrators, and all of them for a sysadmin', async () => {
    const add = (body: object) => platform.request('POST', '/v1/admin/backends', { token: sysadmin, body });
    const ids = [
      (await add({ ...BACKEND, tenant_id: tenant })).body.id,
      (await add({ ...BACKEND, name: 'for-all', tenant_id: undefined })).body.id,
    ];

    const lists = [];
    for (const token of [tokens[2], tokens[3], tokens[4]]) {
      const { body } = await platform.request('GET', '/v1/admin/backends?order=asc', { token });
      lists.push(body.data.map(({ id }: { id: string }) => id));
    }

    expect(lists).toEqual([[ids[0]], [], ids]);
  });

  async function addCallers(): Promise<void> {
    tenant = await addTenant(platform);
    user = (await addUser(platform, tenant)).id;
    sysadmin = (await platform.login()).access_token;
    const { token: admin } = await addSignedInAdmin(platform, tenant);
    const limited = async (jwt: string, ...scopes: string[]) => (await addApiToken(platform, jwt, scopes)).token;
    tokens = [
      undefined,
      (await addSignedInUser(platform, tenant)).token,
      admin,
      (await addSignedInAdmin(platform, await addTenant(platform))).token,
      sysadmin,
      await limited(admin, 'chat:write', 'quota:read'),
      await limited(admin, 'admin:read'),
      await limited(admin, 'admin:write'),
      await limited(sysadmin, 'chat:write', 'quota:read'),
    ];
  }

  function ask(operation: Operation, target: Target, token?: string) {
    const { method, path, body } = operation(target);
    return platform.request(method, path, { token, body });
  }

  /** With a backend of its own, so that it can be taken away. */
  async function askForTheirs(operation: Operation, token?: string) {
    const body = { ...BACKEND, name: `b-${Math.random().toString(36).slice(2)}`, tenant_id: tenant };
    const backend = (await platform.request('POST', '/v1/admin/backends', { token: sysadmin, body })).body.id;
    const answer = await ask(operation, { tenant, user, backend }, token);
    const { body: left } = await platform.request('GET', '/v1/admin/backends', { token: sysadmin });
    for (const { id } of left.data) await platform.request('DELETE', `/v1/admin/backends/${id}`, { token: sysadmin });
    return answer;
  }

  /** Of a GraphQL answer: that of its first error, or 404 where the entity is null. */
  function statusOf({ status, body }: Awaited<ReturnType<typeof ask>>): number {
    return body?.errors?.[0].extensions.status ?? (body?.data?._entities?.[0] === null ? 404 : status);
  }
});
