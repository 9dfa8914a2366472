import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addTenant, addUser, signIn } from '../support/accounts.js';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';

/** Who asks: the columns of the tables below. */
const CALLERS = [
  'anonymous',
  'a user of the tenant',
  'an administrator of the tenant',
  'an administrator of another tenant',
  'a sysadmin',
  "the administrator's token without a scope of administration",
  "the administrator's token with admin:read alone",
  "the administrator's token with admin:write alone",
  "a sysadmin's token without a scope of administration",
] as const;

/** What is asked for: the tenant, one of its users, and a backend of it. */
interface Target {
  readonly tenant: string;
  readonly user: string;
  readonly backend: string;
}

const UNKNOWN: Target = {
  tenant: 'ten_01h45ytscbebyvny4gc8cr8ma2',
  user: 'usr_01h45ytscbebyvny4gc8cr8ma2',
  backend: 'bck_01h45ytscbebyvny4gc8cr8ma2',
};

type Operation = (target: Target) => {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
};
const rest =
  (method: string, path: string, body?: object): Operation =>
  ({ tenant, backend }) => ({
    method,
    path: path.replace('{tenant}', tenant).replace('{backend}', backend),
    body: body && JSON.parse(JSON.stringify(body).replace('{tenant}', tenant)),
  });
const graphql =
  (query: string): Operation =>
  ({ tenant, user }) => ({
    method: 'POST',
    path: '/graphql',
    body: { query: query.replace('{tenant}', tenant).replace('{user}', user) },
  });
const reference = (type: string, id: string, fields = 'id') =>
  graphql(`{ _entities(representations: [{ __typename: "${type}", id: "${id}" }]) { ... on ${type} { ${fields} } } }`);

const READ = [401, 403, 200, 404, 200, 403, 200, 403, 403];
const WRITE = [401, 403, 200, 404, 200, 403, 403, 200, 403];
const ADDED = WRITE.map((status) => (status === 200 ? 201 : status));
const REMOVED = WRITE.map((status) => (status === 200 ? 204 : status));
const SYSADMIN_WRITES = [401, 403, 403, 403, 200, 403, 403, 403, 403];
const BACKEND = { name: 'theirs', base_url: 'http://127.0.0.1:11434/v1', models: [{ id: 'm' }], tenant_id: '{tenant}' };

const OPERATIONS: readonly [name: string, operation: Operation, expected: readonly number[]][] = [
  ['GET a tenant', rest('GET', '/v1/admin/tenants/{tenant}'), READ],
  ['PATCH a tenant', rest('PATCH', '/v1/admin/tenants/{tenant}', { name: 'Renamed' }), WRITE],
  ['the users of a tenant', graphql('{ tenant(id: "{tenant}") { users { edges { node { id } } } } }'), READ],
  ['GET the quota of a tenant', rest('GET', '/v1/admin/tenants/{tenant}/quota'), READ],
  ['PUT the quota of a tenant', rest('PUT', '/v1/admin/tenants/{tenant}/quota', { enforcing: false }), SYSADMIN_WRITES],
  ['GET the usage of a tenant', rest('GET', '/v1/admin/usage?tenant_id={tenant}'), READ],
  ['GET the model policy of a tenant', rest('GET', '/v1/admin/tenants/{tenant}/model-policy'), READ],
  ['PUT the model policy of a tenant', rest('PUT', '/v1/admin/tenants/{tenant}/model-policy', {}), WRITE],
  ['GET a backend', rest('GET', '/v1/admin/backends/{backend}'), READ],
  ['PATCH a backend', rest('PATCH', '/v1/admin/backends/{backend}', { weight: 2 }), WRITE],
  ['POST a backend', rest('POST', '/v1/admin/backends', BACKEND), ADDED],
  ['DELETE a backend', rest('DELETE', '/v1/admin/backends/{backend}'), REMOVED],
  // What is null in the graph is 404 here.
  ['a tenant as a reference', reference('Tenant', '{tenant}'), [401, 200, 200, 404, 200, 200, 200, 200, 404]],
  ['a user as a reference', reference('User', '{user}'), [401, 404, 200, 404, 200, 404, 200, 404, 404]],
];

describe("what is a tenant's", () => {
  let platform: Platform;
  let tenant: string;
  let user: string;
  let sysadmin: string;
  let tokens: readonly (string | undefined)[];

  beforeAll(async () => {
    platform = await startPlatform({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    tenant = await addTenant(platform);
    user = (await addUser(platform, tenant)).id;
    sysadmin = (await platform.login()).access_token;
    const tokenOf = async (tenantId: string, ...privileges: 'admin'[]): Promise<string> => {
      const { email } = await addUser(platform, tenantId, { privileges: ['user', ...privileges] });
      return (await signIn(platform, email)).access_token;
    };
    const admin = await tokenOf(tenant, 'admin');
    const limited = async (jwt: string, ...scopes: string[]) => (await addApiToken(platform, jwt, scopes)).token;
    tokens = [
      undefined,
      await tokenOf(tenant),
      admin,
      await tokenOf(await addTenant(platform), 'admin'),
      sysadmin,
      await limited(admin, 'chat:write', 'quota:read'),
      await limited(admin, 'admin:read'),
      await limited(admin, 'admin:write'),
      await limited(sysadmin, 'chat:write', 'quota:read'),
    ];
  });
  afterAll(() => platform.close());

  const ask = (operation: Operation, target: Target, token?: string) => {
    const { method, path, body } = operation(target);
    return platform.request(method, path, { token, body });
  };
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
  const statusOf = ({ status, body }: Awaited<ReturnType<typeof ask>>): number =>
    body?.errors?.[0].extensions.status ?? (body?.data?._entities?.[0] === null ? 404 : status);

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
});
