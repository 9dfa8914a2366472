import type { Random } from '../../../crash/random.js';
import { hmacOf, signProxy } from '../../../support/servers/sso-proxy.js';
import type { Snapshot } from './snapshot.js';

/** What may be asked for, with how often. */
const KINDS = {
  changeUser: 6,
  invite: 2,
  addProvider: 3,
  changeProvider: 3,
  approve: 2,
  deleteProvider: 4,
  settle: 1,
  changeTenant: 1,
  endSessions: 1,
  addToken: 1,
  signIn: 5,
} as const;
/** A kind of step. */
export type StepKind = keyof typeof KINDS;
/** All of them. */
export const STEP_KINDS = Object.keys(KINDS) as StepKind[];
const WEIGHTED = STEP_KINDS.flatMap((kind) => Array.from({ length: KINDS[kind] }, () => kind));

/** A request that somebody makes. */
export interface Step {
  readonly kind: StepKind;
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose sign-in it is; nobody's token goes with it. */
  readonly signIn?: { readonly oid: string; readonly tid: string; readonly upn: string };
}

/** What steps are chosen from. */
export interface StepSource {
  readonly random: Random;
  readonly state: Snapshot;
  /** Makes names that no other sequence has. */
  readonly name: string;
  /** Secrets of trusted proxies by provider; some have been replaced. */
  readonly secrets: ReadonlyMap<string, string>;
}

const OIDS = ['ann', 'ben', 'cat'] as const;
const PRIVILEGES = ['user', 'admin', 'sysadmin'] as const;
const SCOPES = [['*'], ['admin:read', 'admin:write'], ['admin:write'], ['admin:read'], ['chat:write']] as const;

/** Scopes of a token. */
export function someScopes(random: Random): readonly string[] {
  return random.pick(SCOPES);
}

/** Some step or other. */
export function nextStep(source: StepSource): Step {
  return MAKERS[source.random.pick(WEIGHTED)](source);
}

const MAKERS: Readonly<Record<StepKind, (source: StepSource) => Step>> = {
  changeUser: (source) => ({
    kind: 'changeUser',
    method: 'PATCH',
    path: `/v1/admin/users/${userId(source)}`,
    body: userPatch(source),
  }),
  invite: (source) => ({
    kind: 'invite',
    method: 'POST',
    path: '/v1/admin/users',
    body: {
      email: `guest${source.random.between(1, 4)}@${source.name}.test`,
      name: 'Guest',
      ...(source.random.chance(0.7) && { privileges: somePrivileges(source) }),
      ...(source.random.chance(0.4) && { tenant_id: tenantId(source) }),
    },
  }),
  addProvider: (source) => ({
    kind: 'addProvider',
    method: 'POST',
    path: '/v1/admin/identity-providers',
    body: {
      ...(source.random.chance(0.3) ? directory(source) : issuer(source)),
      ...(source.random.chance(0.4) && { tenant_id: tenantId(source) }),
    },
  }),
  changeProvider: (source) => ({
    kind: 'changeProvider',
    method: 'PATCH',
    path: `/v1/admin/identity-providers/${providerId(source)}`,
    body: providerPatch(source),
  }),
  approve: (source) => ({
    kind: 'approve',
    method: 'POST',
    path: `/v1/admin/identity-providers/${pendingProviderId(source)}/approve`,
  }),
  deleteProvider: (source) => ({
    kind: 'deleteProvider',
    method: 'DELETE',
    path: `/v1/admin/identity-providers/${providerId(source)}`,
  }),
  settle: (source) => ({
    kind: 'settle',
    method: 'PUT',
    path: `/v1/admin/tenants/${tenantId(source)}/settings`,
    body: {
      allowed_domains: source.random.chance(0.5) ? [domain(source)] : [],
      registration_open: source.random.pick([true, false, null]),
      allowed_plans: source.random.pick([[], ['team'], ['free', 'team']]),
    },
  }),
  changeTenant: (source) => ({
    kind: 'changeTenant',
    method: 'PATCH',
    path: `/v1/admin/tenants/${tenantId(source)}`,
    body: { plan: source.random.pick(['free', 'team', 'enterprise']) },
  }),
  endSessions: (source) => ({
    kind: 'endSessions',
    method: 'DELETE',
    path: `/v1/admin/users/${userId(source)}/sessions`,
  }),
  addToken: ({ random }) => ({
    kind: 'addToken',
    method: 'POST',
    path: '/v1/api-tokens',
    body: { name: 'Made on the way', scopes: someScopes(random) },
  }),
  signIn,
};

/** The same people, at whatever provider, by its secret or another one. */
function signIn({ random, state, name, secrets }: StepSource): Step {
  const issuers = [...state.providers.values()].filter(({ kind }) => kind === 'sso');
  const provider = issuers.length > 0 ? random.pick(issuers) : undefined;
  const oid = random.pick(OIDS);
  const known = [...state.users.values()].map(({ email }) => email);
  const upn = random.chance(0.6) ? `${oid}@people.${name}.test` : random.pick(known);
  const person = { oid, tid: provider?.tid ?? `${name}-1`, upn };
  const all = [...secrets.values(), secretOf(name, 0)];
  const secret = random.chance(0.85) ? (secrets.get(provider?.id ?? '') ?? '') : random.pick(all);
  const headers = signProxy(person, { secret });
  return { kind: 'signIn', method: 'POST', path: '/v1/auth/sso', body: person, headers, signIn: person };
}

function userPatch(source: StepSource): Record<string, unknown> {
  const { random } = source;
  return {
    ...(random.chance(0.5) && { privileges: somePrivileges(source) }),
    ...(random.chance(0.2) && { status: random.pick(['active', 'active', 'suspended', 'disabled']) }),
    ...(random.chance(0.2) && { name: `Name ${random.between(1, 9)}` }),
    ...(random.chance(0.35) && link(source)),
  };
}

function link(source: StepSource): Record<string, unknown> {
  if (source.random.chance(0.2)) return { identity_provider_id: null, external_id: null };
  return { identity_provider_id: providerId(source), external_id: source.random.pick(OIDS) };
}

function issuer({ random, name }: StepSource): Record<string, unknown> {
  return {
    kind: 'sso',
    name: 'Issuer',
    tid: `${name}-${random.between(1, 4)}`,
    proxy_secret: secretOf(name, random.between(1, 3)),
    ...(random.chance(0.3) && { domains: [domain({ random, name })] }),
  };
}

function directory(source: StepSource): Record<string, unknown> {
  return {
    kind: 'ldap',
    name: 'Directory',
    url: 'ldaps://directory.example.com',
    base_dn: 'dc=test',
    group_map: groupMap(source),
    ...(source.random.chance(0.3) && { domains: [domain(source)] }),
  };
}

function providerPatch(source: StepSource): Record<string, unknown> {
  const { random, name } = source;
  return {
    ...(random.chance(0.4) && { status: random.pick(['active', 'active', 'disabled', 'pending']) }),
    ...(random.chance(0.3) && { name: 'Another name' }),
    ...(random.chance(0.3) && { proxy_secret: secretOf(name, random.between(1, 3)) }),
    ...(random.chance(0.2) && { tid: `${name}-${random.between(1, 4)}` }),
    ...(random.chance(0.2) && { group_map: groupMap(source) }),
    ...(random.chance(0.1) && { domains: [domain(source)] }),
  };
}

/** Not all of it is allowed. */
function groupMap({ random }: Pick<StepSource, 'random'>): object[] {
  return [{ group: 'staff', privilege: random.pick(PRIVILEGES) }];
}

function somePrivileges({ random }: Pick<StepSource, 'random'>): string[] {
  return PRIVILEGES.filter((privilege) => random.chance(privilege === 'sysadmin' ? 0.35 : 0.6));
}

function userId({ random, state }: StepSource): string {
  return random.pick([...state.users.keys()]);
}

function tenantId({ random, state }: StepSource): string {
  return random.pick([...state.tenants.keys()]);
}

/** Where there is none, one that does not exist. */
function providerId({ random, state }: StepSource): string {
  const ids = [...state.providers.keys()];
  return ids.length === 0 ? 'dir_00000000000000000000000000' : random.pick(ids);
}

/** Most providers are active from the start, so one that waits comes first. */
function pendingProviderId(source: StepSource): string {
  const pending = [...source.state.providers].filter(([, { approved }]) => !approved).map(([id]) => id);
  return pending.length === 0 ? providerId(source) : source.random.pick(pending);
}

function domain({ random, name }: Pick<StepSource, 'random' | 'name'>): string {
  return `${random.pick(['people', 'staff'])}.${name}.test`;
}

function secretOf(name: string, number: number): string {
  return hmacOf(name, String(number)).toString('hex');
}
