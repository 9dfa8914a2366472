import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { Privilege } from '../../access/caller.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { newId } from '../../platform/ids.js';
import { accountIdentifier } from './account-identifier.js';
import type { AccountChange, Accounts } from './accounts.js';
import { SignInRefused } from './sign-in-refused.js';
import { User } from './user.entity.js';

/** The identity provider that vouches for somebody. */
interface Voucher {
  readonly id: string;
  /** The tenant that its people belong to. */
  readonly tenantId: string;
  /** That of the settings by which it vouches. */
  readonly revision: number;
}

/** Somebody as an identity provider describes them. */
export interface ExternalPerson {
  /** Who they are there, whatever they are called: `entryUUID`, `objectGUID` or `oid`. */
  readonly externalId: string;
  /** As `normalizeEmail` gives it. */
  readonly email: string;
  /** What they have just signed in by, where it is not `email`: another address, or as `ssoAccountName` gives it. */
  readonly signInName?: string;
  readonly username: string;
  /** Undefined: the provider does not tell. */
  readonly groups?: readonly string[];
  /** Whether the groups make them an administrator of the provider's tenant; undefined: groups decide nothing. */
  readonly isAdmin?: boolean;
}

/** Who tells about a person. */
interface PersonSource {
  /** A sync takes back whom a sync has suspended; a sign-in does not. */
  readonly isSync?: boolean;
}

/** What differs between an account and what an identity provider says of its person. */
export type PersonChanges = Partial<
  Pick<User, 'email' | 'username' | 'groupMemberships' | 'privileges' | 'status' | 'suspendedBySync'>
>;

/** The accounts of people whom identity providers vouch for: each is (provider, external id), never an address. */
export class ExternalPeople {
  constructor(
    private readonly accounts: Accounts,
    private readonly secretBox: Pick<SecretBox, 'mac'>,
    private readonly log: Logger,
  ) {}

  /**
   * The account of somebody who has just proven who they are, brought up to date; the first time it is made.
   * @throws SignInRefused for those who may not sign in, and where the provider was changed meanwhile
   */
  async signIn(provider: Voucher, person: ExternalPerson): Promise<User> {
    const attempt = (): Promise<User> => this.accounts.change((change) => this.bringIn(change, provider, person));
    try {
      // The first of two sign-ins of somebody new at the same moment has made the account for the second.
      return await attempt().catch((error: unknown) => {
        if (isUniqueViolation(error)) return attempt();
        throw error;
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.log.warn({ provider: provider.id }, 'a sign-in was refused: another user of the provider has the address');
      throw new SignInRefused('another user of the identity provider has the address');
    }
  }

  private async bringIn(change: AccountChange, provider: Voucher, person: ExternalPerson): Promise<User> {
    await requireActive(change.tx, provider);
    const found = await findPerson(change.tx, provider, person.externalId, true);
    const user = found ? await this.update(change, found, person) : await this.create(change, provider, person);
    if (user.status !== 'active') throw new SignInRefused(`the account is ${user.status}`);
    return user;
  }

  /** Makes the account of somebody new. */
  async create(
    { tx, record }: AccountChange,
    provider: Omit<Voucher, 'revision'>,
    person: ExternalPerson,
  ): Promise<User> {
    const user = tx.create(User, {
      id: newId('usr'),
      tenantId: provider.tenantId,
      identityProviderId: provider.id,
      externalId: person.externalId,
      email: person.email,
      username: person.username,
      passwordHash: null,
      confirmed: true,
      status: 'active',
      suspendedBySync: false,
      isBootstrap: false,
      confirmBefore: null,
      pseudonym: null,
      auditIdentifiers: this.identifiersOf([person.signInName]),
      privileges: person.isAdmin ? ['user', 'admin'] : ['user'],
      groupMemberships: [...(person.groups ?? [])],
      userVersion: 1,
      createdAt: new Date(),
    });
    await tx.insert(User, user);
    await record(user, 'user.create', `by its identity provider, privileges: ${user.privileges.join(' ')}`);
    return user;
  }

  /** Brings an account up to date; where privileges change, its sessions end. */
  async update(
    { tx, endSessions, record }: AccountChange,
    user: User,
    person: ExternalPerson,
    source: PersonSource = {},
  ): Promise<User> {
    const changes = changesOf(user, person, source);
    const former = changes.email === undefined ? undefined : user.email;
    const known = new Set([...(user.auditIdentifiers ?? []), ...this.identifiersOf([former, person.signInName])]);
    const isMore = known.size > (user.auditIdentifiers?.length ?? 0);
    const written: Partial<User> = { ...changes, ...(isMore && { auditIdentifiers: [...known] }) };
    if (Object.keys(written).length > 0) await tx.update(User, { id: user.id }, written);
    if (Object.keys(changes).length > 0) await record(user, 'user.update', toReason(changes));
    if (!changes.privileges) return Object.assign(user, written);
    await endSessions([user.id]);
    return tx.findOneByOrFail(User, { id: user.id });
  }

  /** What the audit log may call an account by names that the account does not show; kept for its erasure. */
  private identifiersOf(names: readonly (string | undefined)[]): string[] {
    return names.flatMap((name) => (name === undefined ? [] : accountIdentifier(this.secretBox, name)));
  }
}

/**
 * Keeps a provider, its settings and its tenant as they are until the transaction ends: who signs in while one of them
 * is taken away must not come too late to be signed out with the others.
 * @throws SignInRefused where the provider is not active any more, or has other settings than those of the revision
 */
export async function requireActive(
  tx: EntityManager,
  { id, revision }: Pick<Voucher, 'id' | 'revision'>,
): Promise<void> {
  const rows = await tx.query<object[]>(
    `SELECT FROM identity_providers p JOIN tenants t ON t.id = p.tenant_id
     WHERE p.id = $1 AND p.revision = $2 AND p.approved AND p.enabled AND t.deleted_at IS NULL FOR SHARE`,
    [id, revision],
  );
  if (rows.length > 0) return;
  throw new SignInRefused('the identity provider was changed or disabled while the sign-in was under way');
}

/** The account of a person, if there is one. */
export async function findPerson(
  tx: EntityManager,
  provider: Pick<Voucher, 'id'>,
  externalId: string,
  locked = false,
): Promise<User | null> {
  const lock = locked ? ({ mode: 'pessimistic_write' } as const) : undefined;
  return tx.findOne(User, { where: { identityProviderId: provider.id, externalId }, lock });
}

/** What an account would have to change to be as its identity provider says. */
export function changesOf(user: User, person: ExternalPerson, { isSync = false }: PersonSource = {}): PersonChanges {
  const groups = [...(person.groups ?? user.groupMemberships)];
  const privileges = privilegesOf(user, person);
  // Whom an administrator has suspended stays so; and a sign-in may know people whom a sync does not.
  const isBack = isSync && user.status === 'suspended' && user.suspendedBySync;
  return {
    ...(person.email !== user.email && { email: person.email }),
    ...(person.username !== user.username && { username: person.username }),
    ...(!isSame(groups, user.groupMemberships) && { groupMemberships: groups }),
    ...(!isSame(privileges, user.privileges) && { privileges }),
    ...(isBack && { status: 'active', suspendedBySync: false }),
  };
}

/** Groups give at most the administration of the tenant, and take no more away. */
function privilegesOf(user: User, { isAdmin }: ExternalPerson): Privilege[] {
  if (isAdmin === undefined) return user.privileges;
  const isSysadmin = user.privileges.includes('sysadmin');
  return ['user', ...(isAdmin ? ['admin' as const] : []), ...(isSysadmin ? ['sysadmin' as const] : [])];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry));
}

/** What an identity provider has changed of an account, without what it says now of the person. */
function toReason({ privileges, status, ...others }: PersonChanges): string {
  const names = [
    ...(privileges ? [`privileges to ${privileges.join(' ')}`] : []),
    ...(status ? [`status to ${status}`] : []),
    ...(others.email === undefined ? [] : ['address']),
    ...(others.username === undefined ? [] : ['name']),
    ...(others.groupMemberships ? ['groups'] : []),
  ];
  return `by its identity provider: ${names.join(', ')}`;
}
