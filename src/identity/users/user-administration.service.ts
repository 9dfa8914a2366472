import type { EntityManager } from 'typeorm';
import { IsNull, Not } from 'typeorm';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasPrivilege } from '../../access/access-rule.js';
import type { Caller, Privilege } from '../../access/caller.js';
import { administersTenant, requireTenantAdmin, unknownTenant } from '../../access/tenancy.js';
import type { Client } from '../../access/client.js';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../errors.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { isId, newId } from '../../platform/ids.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import { checkedName } from '../../platform/text/name.js';
import { notNull } from '../../graph/not-null.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import type { AccountMails } from '../mails.js';
import type { PasswordTokens } from '../passwords/password-tokens.js';
import { IdentityProvider } from '../providers/identity-provider.entity.js';
import type { ProviderStore } from '../providers/provider-store.js';
import { keepTenant } from '../tenants/keep-tenant.js';
import { TenantDomain } from '../tenants/tenant-domain.entity.js';
import type { AccountErasure } from './account-erasure.js';
import { accountIdentifier, ssoAccountName } from './account-identifier.js';
import type { AccountChange, Accounts } from './accounts.js';
import { domainOf } from './email-domain.js';
import { normalizeAddress } from './email.js';
import type { InviteUserInput, UpdateUserInput } from './user.inputs.js';
import { keepSysadmin } from './last-sysadmin.js';
import { User } from './user.entity.js';

const INVITATION_MS = 7 * 24 * 60 * 60 * 1_000;
const MAX_NAME_CHARACTERS = 200;
const MAX_EXTERNAL_ID_CHARACTERS = 200;

interface UserAdministrationParts {
  readonly accounts: Accounts;
  readonly erasure: AccountErasure;
  readonly providers: Pick<ProviderStore, 'findActiveByDomain'>;
  readonly limits: MailLimits;
  readonly mailer: Mailer;
  readonly mails: AccountMails;
  readonly tokens: PasswordTokens;
  readonly audit: AuditRecorder;
  readonly secretBox: Pick<SecretBox, 'mac'>;
}

/** Who somebody is to which identity provider; null: nobody. */
type Link = Pick<User, 'identityProviderId' | 'externalId'>;

/** Changes of users by administrators. Nobody gives a privilege that they lack, nor changes a user who has more. */
export class UserAdministrationService {
  constructor(private readonly parts: UserAdministrationParts) {}

  /**
   * Makes an account, and mails a link by which its user chooses the password within 7 days. Who was invited before, and
   * has not answered, gets another mail.
   * @throws BadRequest that names the field; Forbidden, also where who was invited before may do more than the caller;
   * NotFound for another's tenant; Conflict `duplicate`, or where a directory has the address, or no mail can be sent;
   * RateLimited
   */
  async invite(caller: Caller, client: Client, input: InviteUserInput): Promise<User> {
    const { mailer, limits, providers } = this.parts;
    mailer.requireAvailable();
    const tenantId = input.tenantId ?? caller.tenantId;
    requireTenantAdmin(caller, tenantId, 'admin:write');
    const privileges = grantable(caller, input.privileges ?? ['user']);
    const email = normalizeAddress(input.email);
    const username = checkedName(input.name, MAX_NAME_CHARACTERS);
    if (await providers.findActiveByDomain(domainOf(email))) {
      throw new Conflict('conflict', 'The accounts of this domain come from its identity provider.', 'email');
    }
    await limits.countMail(client, email);
    return this.write((change) => this.writeInvitation(change, caller, { tenantId, email, username, privileges }));
  }

  /**
   * Changes a user. Where privileges, status or identity provider change, its sessions end.
   * @throws BadRequest that names the field; Forbidden; NotFound for the users of others; Conflict where nobody would
   * administer the installation any more, or the identity provider knows another user by that id
   */
  async update(caller: Caller, id: string, patch: UpdateUserInput): Promise<User> {
    const link = checkedLink(caller, patch);
    const changes = {
      ...(patch.name !== undefined && { username: checkedName(notNull(patch.name, 'name'), MAX_NAME_CHARACTERS) }),
      ...(patch.privileges !== undefined && { privileges: grantable(caller, notNull(patch.privileges, 'privileges')) }),
      ...(patch.status !== undefined && { status: notNull(patch.status, 'status'), suspendedBySync: false }),
    };
    return this.write(async ({ tx, endSessions }) => {
      const user = await find(tx, caller, id);
      if (link) await requireProviderOfTenant(tx, link.identityProviderId, user.tenantId);
      const all = { ...changes, ...link, ...(link && { auditIdentifiers: await this.linkedNames(tx, user, link) }) };
      const write = async (): Promise<unknown> => Object.keys(all).length > 0 && tx.update(User, { id }, all);
      await (user.privileges.includes('sysadmin') ? keepSysadmin(tx, write) : write());
      const isSame = !link && sameAccess(user, { ...user, ...changes });
      if (link || (changes.status && changes.status !== 'active')) await this.parts.tokens.revokeAll(tx, id);
      if (!isSame) await endSessions([id]);
      await this.record(tx, actorOf(caller), 'user.update', user, `changed: ${namesOf(all)}`);
      return tx.findOneByOrFail(User, { id });
    });
  }

  /**
   * Signs a user out everywhere.
   * @throws Forbidden, NotFound for the users of others
   */
  async endSessions(caller: Caller, id: string): Promise<void> {
    await this.write(async ({ tx, endSessions }) => {
      const user = await find(tx, caller, id);
      await endSessions([id]);
      await this.record(tx, actorOf(caller), 'user.end_sessions', user);
    });
  }

  /**
   * Takes an account away, on a service's behalf: it is gone at once, and what it owned soon after.
   * @throws NotFound; Conflict for the last who administers the installation
   */
  async delete(actor: AuditActor, id: string): Promise<void> {
    await this.write(async (change) => {
      const user = isId('usr', id) && (await lock(change.tx, id));
      if (!user) throw unknownUser();
      const deletion = (): Promise<void> => this.parts.erasure.delete(change, [user]);
      await (user.privileges.includes('sysadmin') ? keepSysadmin(change.tx, deletion) : deletion());
      await this.record(change.tx, actor, 'user.delete', user);
    });
  }

  private async writeInvitation(
    change: AccountChange,
    caller: Caller,
    values: Pick<User, 'tenantId' | 'email' | 'username' | 'privileges'>,
  ): Promise<User> {
    const { tokens, mailer, mails } = this.parts;
    const { tx } = change;
    const { tenantId, email } = values;
    if (!(await keepTenant(tx, tenantId))) throw unknownTenant();
    await requireOwnDomain(tx, tenantId, domainOf(email));
    const where = { email, tenantId, confirmed: false, passwordHash: IsNull(), identityProviderId: IsNull() };
    const waiting = await tx.findOne(User, { where, lock: { mode: 'pessimistic_write' } });
    if (waiting) requireNoMore(caller, waiting);
    const id = waiting?.id ?? newId('usr');
    await this.dropRegistration(change, caller, email);
    if (waiting) await tx.update(User, { id }, values);
    else await tx.insert(User, { id, ...values, ...INVITED, createdAt: new Date() });
    await mailer.send(mails.invitation(email, await tokens.issue(tx, id, INVITATION_MS)), id, tx);
    await this.record(
      tx,
      actorOf(caller),
      'user.invite',
      { id, tenantId },
      `privileges: ${values.privileges.join(', ')}`,
    );
    return tx.findOneByOrFail(User, { id });
  }

  /** Anybody can have registered with an address, for whichever tenant, and not confirmed it: an invitation counts more. */
  private async dropRegistration(change: AccountChange, caller: Caller, email: string): Promise<void> {
    const where = { email, identityProviderId: IsNull(), confirmBefore: Not(IsNull()), confirmed: false };
    const pending = await change.tx.find(User, { where, lock: { mode: 'pessimistic_write' } });
    await this.parts.erasure.delete(change, pending);
    const reason = 'an invitation has taken the place of the registration';
    for (const user of pending) await this.record(change.tx, actorOf(caller), 'user.delete', user, reason);
  }

  /** What the audit log may call a user, with what it may by the identity providers of the link before and of the next. */
  private async linkedNames(tx: EntityManager, user: User, next: Link): Promise<string[]> {
    const known = new Set(user.auditIdentifiers);
    for (const { identityProviderId: id, externalId } of [user, next]) {
      const settings = id === null ? undefined : (await tx.findOneBy(IdentityProvider, { id }))?.settings;
      if (settings?.kind !== 'sso' || externalId === null) continue;
      known.add(accountIdentifier(this.parts.secretBox, ssoAccountName(settings.tid, externalId)));
    }
    return [...known];
  }

  private record(
    tx: EntityManager,
    actor: AuditActor,
    action: `user.${string}`,
    { id, tenantId }: Pick<User, 'id' | 'tenantId'>,
    reason?: string,
  ): Promise<void> {
    return this.parts.audit.record(tx, actor, { tenantId, action, target: { type: 'user', id }, reason });
  }

  private async write<T>(work: Parameters<typeof this.parts.accounts.change<T>>[0]): Promise<T> {
    try {
      return await this.parts.accounts.change(work);
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Conflict('duplicate', 'There is another account of this address or identity.');
      throw error;
    }
  }
}

const INVITED = {
  passwordHash: null,
  confirmed: false,
  status: 'active',
  groupMemberships: [] as string[],
  userVersion: 1,
} satisfies Partial<User>;

/** @throws Conflict where the people of a domain are another tenant's */
async function requireOwnDomain(tx: EntityManager, tenantId: string, domain: string): Promise<void> {
  if (!(await tx.existsBy(TenantDomain, { domain, tenantId: Not(tenantId) }))) return;
  throw new Conflict('conflict', 'The people of this domain belong to another tenant.', 'email');
}

/** A user that the caller may change, locked. */
async function find(tx: EntityManager, caller: Caller, id: string): Promise<User> {
  const user = isId('usr', id) && (await lock(tx, id));
  if (!user || !administersTenant(caller, user.tenantId, 'admin:write')) throw unknownUser();
  requireNoMore(caller, user);
  return user;
}

/** @throws Forbidden where a user has a privilege that the caller lacks */
function requireNoMore(caller: Caller, { privileges }: User): void {
  if (privileges.every((privilege) => hasPrivilege(caller, privilege))) return;
  throw new Forbidden('This user has a privilege that you lack.');
}

function lock(tx: EntityManager, id: string): Promise<User | null> {
  return tx.findOne(User, { where: { id, status: Not('deleted') }, lock: { mode: 'pessimistic_write' } });
}

function unknownUser(): NotFound {
  return new NotFound('The user does not exist.');
}

/** Everybody has `user`; the others each once, in their order. */
function grantable(caller: Caller, privileges: readonly Privilege[]): Privilege[] {
  const lacking = privileges.find((privilege) => !hasPrivilege(caller, privilege));
  if (lacking) throw new Forbidden(`You cannot give the privilege ${lacking}, since you lack it.`);
  return (['user', 'admin', 'sysadmin'] as const).filter((name) => name === 'user' || privileges.includes(name));
}

/** What links an account to a person of an identity provider, or ends that; undefined where nothing is said. */
function checkedLink(caller: Caller, { identityProviderId, externalId }: UpdateUserInput) {
  if (identityProviderId === undefined && externalId === undefined) return undefined;
  if (!hasPrivilege(caller, 'sysadmin')) throw new Forbidden('Accounts are linked to identity providers by sysadmins.');
  if (typeof identityProviderId !== typeof externalId) {
    throw new BadRequest('identityProviderId and externalId belong together.', 'externalId');
  }
  if (!identityProviderId || !externalId) return { identityProviderId: null, externalId: null };
  if (externalId.length > MAX_EXTERNAL_ID_CHARACTERS) throw new BadRequest('externalId is too long.', 'externalId');
  // Whoever checks the sign-in from now on keeps the password, too.
  return { identityProviderId, externalId, passwordHash: null, confirmed: true, confirmBefore: null };
}

async function requireProviderOfTenant(tx: EntityManager, id: string | null, tenantId: string): Promise<void> {
  if (id === null) return;
  if (await tx.existsBy(IdentityProvider, { id, tenantId })) return;
  throw new BadRequest("identityProviderId must be an identity provider of the user's tenant.", 'identityProviderId');
}

function sameAccess(one: User, other: User): boolean {
  return one.status === other.status && one.privileges.join() === other.privileges.join();
}

/** What has been changed of a user, for the audit log: privileges and status with their values. */
function namesOf({ privileges, status, ...others }: Partial<User>): string {
  const names = [
    ...(privileges ? [`privileges to ${privileges.join(' ')}`] : []),
    ...(status ? [`status to ${status}`] : []),
    ...('username' in others ? ['name'] : []),
    ...('identityProviderId' in others ? ['identity provider'] : []),
  ];
  return names.join(', ') || 'nothing';
}
