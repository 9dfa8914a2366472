import { Tenant } from '../../../src/identity/tenants/tenant.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import { cheapHash } from './cheap-hash.js';
import type { Platform, RestAnswer, TokenPair } from '../servers/platform.js';

/** The password of every account that a test adds. */
export const PASSWORD = 'seven quiet herons by the lake';

/** Adds a tenant; answers its id. */
export async function addTenant(platform: Platform, values: Partial<Tenant> = {}): Promise<string> {
  const id = newId('ten');
  const now = new Date();
  const tenant = { id, name: 'Other', plan: 'free', allowedPlans: [], createdAt: now, updatedAt: now } as const;
  await platform.app.database.dataSource.getRepository(Tenant).insert({ ...tenant, allowedPlans: [], ...values });
  return id;
}

/** Adds a user who can sign in with `PASSWORD`. */
export async function addUser(platform: Platform, tenantId: string, values: Partial<User> = {}): Promise<User> {
  const id = newId('usr');
  const users = platform.app.database.dataSource.getRepository(User);
  await users.insert({
    id,
    tenantId,
    email: `${id}@example.test`,
    username: 'Test User',
    passwordHash: cheapHash(PASSWORD),
    confirmed: true,
    status: 'active',
    privileges: ['user'],
    groupMemberships: [],
    userVersion: 1,
    createdAt: new Date(),
    ...values,
  } as User);
  return users.findOneByOrFail({ id });
}

/** Signs a user in. */
export async function signIn(platform: Platform, email: string, password: string = PASSWORD): Promise<TokenPair> {
  const { status, body } = await platform.request('POST', '/v1/auth/login', { body: { email, password } });
  if (status !== 200) throw new Error(`${email} could not sign in: ${JSON.stringify(body)}`);
  return body as TokenPair;
}

/** Asks who a token stands for; 401 where it is worth nothing. */
export function whoAmI(platform: Platform, token: string): Promise<RestAnswer> {
  return platform.request('GET', '/v1/auth/me', { token });
}

/** Exchanges a refresh token. */
export function refreshTokens(platform: Platform, refreshToken: unknown): Promise<RestAnswer> {
  return platform.request('POST', '/v1/auth/refresh', { body: { refresh_token: refreshToken } });
}

/** A user who has signed in. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly tenantId: string;
  /** An access token. */
  readonly token: string;
}

/** Adds a user and signs in. @param tenantId default: that of the administrator */
export async function addSignedInUser(
  platform: Platform,
  tenantId?: string,
  values: Partial<User> = {},
): Promise<SignedInUser> {
  const user = await addUser(platform, tenantId ?? (await defaultTenantId(platform)), values);
  const { access_token: token } = await signIn(platform, user.email);
  return { id: user.id, email: user.email, tenantId: user.tenantId, token };
}

/** Adds an administrator of a tenant and signs in. @param tenantId default: that of the administrator of all */
export function addSignedInAdmin(platform: Platform, tenantId?: string): Promise<SignedInUser> {
  return addSignedInUser(platform, tenantId, { privileges: ['user', 'admin'] });
}

/** A tenant with an administrator and a user of its own. */
export interface StaffedTenant {
  readonly id: string;
  readonly admin: SignedInUser;
  readonly user: SignedInUser;
}

/** Adds a tenant with an administrator and a user, who sign in. */
export async function addStaffedTenant(platform: Platform, values: Partial<Tenant> = {}): Promise<StaffedTenant> {
  const id = await addTenant(platform, values);
  return { id, admin: await addSignedInAdmin(platform, id), user: await addSignedInUser(platform, id) };
}

/** The id of the tenant that the administrator belongs to. */
export async function defaultTenantId(platform: Platform): Promise<string> {
  const { id } = await platform.app.database.dataSource.getRepository(Tenant).findOneByOrFail({ name: 'Default' });
  return id;
}

/** A personal access token as REST answers it where it has just been issued. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** Makes a personal access token for the user that a JWT belongs to. */
export async function addApiToken(platform: Platform, jwt: string, scopes: string[] = ['*']): Promise<IssuedToken> {
  const body = { name: 'Test token', scopes };
  const answer = await platform.request('POST', '/v1/api-tokens', { token: jwt, body });
  if (answer.status !== 201) throw new Error(`No token was made: ${JSON.stringify(answer.body)}`);
  return answer.body as IssuedToken;
}

/** Exchanges the secret of a personal access token. */
export async function rotateApiToken(
  platform: Platform,
  jwt: string,
  id: string,
  graceSeconds?: number,
): Promise<IssuedToken> {
  const body = { grace_seconds: graceSeconds };
  const answer = await platform.request('POST', `/v1/api-tokens/${id}/rotate`, { token: jwt, body });
  if (answer.status !== 200) throw new Error(`The token was not rotated: ${JSON.stringify(answer.body)}`);
  return answer.body as IssuedToken;
}
