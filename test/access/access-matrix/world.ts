import { newRefreshToken, sessionIdOf } from '../../../src/identity/sessions/session-secret.js';
import { RefreshToken } from '../../../src/identity/sessions/refresh-token.entity.js';
import { Tenant } from '../../../src/identity/tenants/tenant.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import { hash } from 'node:crypto';
import type { AccessExtension } from '../../../src/access/access-rule.js';
import type { Privilege } from '../../../src/access/caller.js';
import type { Caller, Whose } from './callers.js';
import type { MatrixBed, Owner } from './matrix-bed.js';

/** People: the user under test, another of the tenant, one of another tenant, and administrators. */
const PEOPLE = {
  own: { tenant: 'own', privileges: ['user'] },
  mate: { tenant: 'own', privileges: ['user'] },
  other: { tenant: 'other', privileges: ['user'] },
  admin: { tenant: 'own', privileges: ['user', 'admin'] },
  stranger: { tenant: 'other', privileges: ['user', 'admin'] },
  sysadmin: { tenant: 'third', privileges: ['user', 'admin', 'sysadmin'] },
} as const satisfies Record<string, { readonly tenant: TenantName; readonly privileges: readonly Privilege[] }>;
/** One of them. */
export type Person = keyof typeof PEOPLE;

type TenantName = 'own' | 'other' | 'third';

/** Two tenants with users and administrators, and a sysadmin of a third one: new until an operation has changed it. */
export class World {
  private readonly made = new Map<string, Promise<string>>();

  private constructor(
    readonly bed: MatrixBed,
    /** Which has one thing of each kind, to be copied; undefined: all are made. */
    readonly pattern: World | undefined,
    private readonly tenants: Readonly<Record<TenantName, string>>,
    private readonly users: Readonly<Record<Person, User>>,
    private readonly sids: Readonly<Record<Person, string>>,
  ) {
    for (const id of Object.values(tenants)) bed.owners.set(id, { tenantId: id });
    for (const { id, email, tenantId } of Object.values(users)) {
      for (const text of [id, email]) bed.owners.set(text, { tenantId, userId: id });
    }
  }

  /** @param pattern whose things are copied */
  static async make(bed: MatrixBed, pattern?: World): Promise<World> {
    const { dataSource } = bed.platform.app.database;
    const tenants = { own: newId('ten'), other: newId('ten'), third: newId('ten') };
    const now = new Date();
    const tenant = { name: 'Tenant', plan: 'free', allowedPlans: [], createdAt: now, updatedAt: now } as const;
    await dataSource
      .getRepository(Tenant)
      .insert(Object.values(tenants).map((id) => ({ ...tenant, allowedPlans: [], id })));
    const names = Object.keys(PEOPLE) as Person[];
    const rows = names.map((name) => newUser(bed, tenants[PEOPLE[name].tenant], PEOPLE[name].privileges));
    await dataSource.getRepository(User).insert(rows);
    const sids = await bed.addSessions(rows);
    return new World(bed, pattern, tenants, byName(names, rows), byName(names, sids));
  }

  /** The tenant of whoever has something. */
  tenantOf(whose: Whose): string {
    return this.tenants[whose === 'other' ? 'other' : 'own'];
  }

  user(person: Person): User {
    return this.users[person];
  }

  /** An access token of somebody. */
  jwtOf(person: Person): string {
    return this.bed.sign(this.users[person], this.sids[person]);
  }

  /** The credential of a caller of an operation; undefined: none is sent. */
  async credentialOf(caller: Caller, { rule }: AccessExtension): Promise<string | undefined> {
    switch (caller) {
      case 'none':
        return undefined;
      case 'expired':
      case 'revoked':
      case 'service':
        return this.bed.credentials[caller];
      case 'no scope':
        return this.bed.tokenWithout(rule?.scope);
      case 'pat':
        return this.once('pat', async () => (await this.bed.addApiToken(this.users.own, ['*'])).token);
      case 'user':
        return this.jwtOf('own');
      default:
        return this.jwtOf(caller);
    }
  }

  /** The token that goes on with the session of the user under test; it works once. */
  async newRefreshToken(): Promise<string> {
    const sid = this.sids.own;
    const token = newRefreshToken(sid);
    const row = {
      hash: hash('sha256', token, 'base64url'),
      sessionId: sessionIdOf(sid),
      createdAt: new Date(),
      usedAt: null,
    };
    await this.bed.platform.app.database.dataSource.getRepository(RefreshToken).insert(row);
    return token;
  }

  /** Adds a user to a tenant of this world. */
  async addUser(values: Partial<User>): Promise<User> {
    const user = { ...newUser(this.bed, this.tenants.own, ['user']), ...values };
    await this.bed.platform.app.database.dataSource.getRepository(User).insert(user);
    return user;
  }

  /** What is made when it is first asked for, and then stays. */
  once(name: string, make: () => Promise<string>): Promise<string> {
    const known = this.made.get(name);
    if (known) return known;
    const made = make();
    this.made.set(name, made);
    return made;
  }

  /** Whether a caller may be told of what belongs to somebody. Those who may see everything, or nothing, may. */
  isOpenTo(caller: Caller, { tenantId, userId, isPrivate = false }: Owner): boolean {
    const person = caller === 'pat' || caller === 'user' ? 'own' : caller;
    if (person !== 'own' && person !== 'admin' && person !== 'stranger') return true;
    const reader = this.users[person];
    if (tenantId !== reader.tenantId) return false;
    return userId === undefined || userId === reader.id || (person !== 'own' && !isPrivate);
  }
}

function newUser({ passwordHash }: MatrixBed, tenantId: string, privileges: readonly Privilege[]): User {
  const id = newId('usr');
  const unset = { confirmBefore: null, identityProviderId: null, externalId: null };
  const kept = { pseudonym: null, auditIdentifiers: null };
  return {
    ...unset,
    ...kept,
    id,
    tenantId,
    email: `${id}@example.test`,
    username: 'Test User',
    passwordHash,
    confirmed: true,
    status: 'active',
    suspendedBySync: false,
    isBootstrap: false,
    privileges: [...privileges],
    groupMemberships: [],
    userVersion: 1,
    createdAt: new Date(),
  };
}

function byName<Value>(names: readonly Person[], values: readonly Value[]): Record<Person, Value> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Person, Value>;
}
