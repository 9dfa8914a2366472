/** What is asked for: the tenant, one of its users, and a backend of it. */
export interface Target {
  readonly tenant: string;
  readonly user: string;
  readonly backend: string;
}

/** A request of an operation for a target. */
export type Operation = (target: Target) => {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
};

/** Who asks: the columns of the table of operations. */
export const CALLERS = [
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

/** Ids that nothing has. */
export const UNKNOWN: Target = {
  tenant: 'ten_01h45ytscbebyvny4gc8cr8ma2',
  user: 'usr_01h45ytscbebyvny4gc8cr8ma2',
  backend: 'bck_01h45ytscbebyvny4gc8cr8ma2',
};

const READ = [401, 403, 200, 404, 200, 403, 200, 403, 403];
const WRITE = [401, 403, 200, 404, 200, 403, 403, 200, 403];
const ADDED = WRITE.map((status) => (status === 200 ? 201 : status));
const REMOVED = WRITE.map((status) => (status === 200 ? 204 : status));
const SYSADMIN_WRITES = [401, 403, 403, 403, 200, 403, 403, 403, 403];
/** A backend of the tenant, as it is made. */
export const BACKEND = {
  name: 'theirs',
  base_url: 'http://127.0.0.1:11434/v1',
  models: [{ id: 'm' }],
  tenant_id: '{tenant}',
};

const KEYED_BACKEND = { ...BACKEND, byok: true };
const KEYED = [401, 403, 403, 404, 201, 403, 403, 403, 403];

/** What is asked for, and the status of each caller. */
export const OPERATIONS: readonly [name: string, operation: Operation, expected: readonly number[]][] = [
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
  ["POST a backend that takes callers' own keys", rest('POST', '/v1/admin/backends', KEYED_BACKEND), KEYED],
  [
    "PATCH a backend so that it takes callers' own keys",
    rest('PATCH', '/v1/admin/backends/{backend}', { byok: true }),
    [401, 403, 403, 404, 200, 403, 403, 403, 403],
  ],
  ['DELETE a backend', rest('DELETE', '/v1/admin/backends/{backend}'), REMOVED],
  // What is null in the graph is 404 here.
  ['a tenant as a reference', reference('Tenant', '{tenant}'), [401, 200, 200, 404, 200, 200, 200, 200, 404]],
  ['a user as a reference', reference('User', '{user}'), [401, 404, 200, 404, 200, 404, 200, 404, 404]],
];

function rest(method: string, path: string, body?: object): Operation {
  return ({ tenant, backend }) => ({
    method,
    path: path.replace('{tenant}', tenant).replace('{backend}', backend),
    body: body && JSON.parse(JSON.stringify(body).replace('{tenant}', tenant)),
  });
}

function graphql(query: string): Operation {
  return ({ tenant, user }) => ({
    method: 'POST',
    path: '/graphql',
    body: { query: query.replace('{tenant}', tenant).replace('{user}', user) },
  });
}

function reference(type: string, id: string, fields = 'id') {
  return graphql(
    `{ _entities(representations: [{ __typename: "${type}", id: "${id}" }]) { ... on ${type} { ${fields} } } }`,
  );
}
