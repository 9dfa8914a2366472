import { randomInt, timingSafeEqual } from 'node:crypto';
import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { unknownActor, userActor } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Client } from '../../access/client.js';
import { BadRequest, Conflict, Forbidden, RateLimited, Unauthorized } from '../../errors.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { newId } from '../../platform/ids.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import { checkedName } from '../../platform/text/name.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import { networkOf } from '../../platform/net/client-network.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { AccountMails } from '../mails.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { requireGoodPassword } from '../passwords/password-policy.js';
import type { PasswordTokens } from '../passwords/password-tokens.js';
import { keepTenant } from '../tenants/keep-tenant.js';
import type { AccountErasure } from '../users/account-erasure.js';
import type { Accounts } from '../users/accounts.js';
import { normalizeAddress, normalizeEmail } from '../users/email.js';
import { User } from '../users/user.entity.js';
import { ConfirmationCode } from './confirmation-code.entity.js';
import type { RegistrationPolicy, RegistrationRefusal } from './registration-policy.js';
import type { Confirmation, RegistrationCheck } from './registration.types.js';

const CODE_MS = 15 * 60 * 1_000;
const CODE_TRIES = 5;
const CODES = 1_000_000;
/** How long the mail to whoever has a contested address counts. */
const CHOICE_MS = 30 * 60 * 1_000;
/** After this a registration that was not confirmed is dropped. */
const CONFIRM_WITHIN_MS = 24 * 60 * 60 * 1_000;
const MAX_NAME_CHARACTERS = 200;
/** Accounts that are dropped in one transaction. */
const PRUNED_TOGETHER = 100;

/** Registrations that nobody has confirmed, and invitations that nobody has answered. */
const UNCONFIRMED = `
  SELECT id, tenant_id AS "tenantId" FROM users u
  WHERE NOT confirmed AND (confirm_before < now() OR
    status = 'active' AND password_hash IS NULL AND identity_provider_id IS NULL
    AND confirm_before IS NULL AND created_at < now() - interval '7 days'
    AND NOT EXISTS (SELECT FROM password_tokens t WHERE t.user_id = u.id AND t.expires_at > now()))
  ORDER BY id LIMIT ${PRUNED_TOGETHER} FOR UPDATE SKIP LOCKED`;

const REFUSALS: Readonly<Record<RegistrationRefusal, string>> = {
  directory: 'The accounts of this domain come from its directory. Please sign in.',
  domain_not_allowed: 'Addresses of this domain cannot be registered here.',
  closed: 'Registration is closed. Please ask an administrator for an invitation.',
};

interface RegistrationParts {
  readonly accounts: Accounts;
  readonly erasure: AccountErasure;
  readonly dataSource: DataSource;
  readonly policy: RegistrationPolicy;
  readonly limits: MailLimits;
  readonly hasher: PasswordHasher;
  readonly mailer: Mailer;
  readonly mails: AccountMails;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly throttle: SignInThrottle;
  readonly tokens: PasswordTokens;
  readonly audit: AuditRecorder;
}

/** Lets people make their own accounts, and prove by a mailed code that the address is theirs. */
export class RegistrationService {
  constructor(private readonly parts: RegistrationParts) {}

  /**
   * Whether an address can be registered. That it is registered already is told only where registration is open for it.
   * @throws BadRequest, RateLimited
   */
  async check(client: Client, address: string): Promise<RegistrationCheck> {
    const email = normalizeAddress(address);
    await this.parts.limits.countQuestion(client);
    const place = await this.parts.policy.placeOf(email);
    if ('refusal' in place) return { email, canRegister: false, reason: place.refusal };
    const isRegistered = await this.parts.dataSource
      .getRepository(User)
      .existsBy({ ...local(email), confirmBefore: IsNull() });
    return { email, canRegister: !isRegistered, reason: isRegistered ? 'registered' : 'available' };
  }

  /**
   * Makes an account that waits for its confirmation, or makes it anew: then the old password and code are worthless.
   * @throws BadRequest that names the field; Forbidden with the reason of the refusal; Conflict `duplicate`, or
   * `capability_not_supported` where no mail can be sent; RateLimited
   */
  async register(client: Client, address: string, password: string, name: string): Promise<User> {
    const { mailer, limits, policy, hasher } = this.parts;
    mailer.requireAvailable();
    const email = normalizeAddress(address);
    const username = checkedName(name, MAX_NAME_CHARACTERS);
    requireGoodPassword('password', password, email);
    await limits.countMail(client, email);
    const place = await policy.placeOf(email);
    if ('refusal' in place) throw new Forbidden(REFUSALS[place.refusal], place.refusal);
    // For those who are registered, too: the time tells nothing.
    const passwordHash = await hasher.hash(password);
    const values = { tenantId: place.tenantId, email, username, passwordHash };
    return this.repeatOnRace(() => this.parts.dataSource.transaction((tx) => this.write(tx, client, values)));
  }

  /**
   * Confirms an address by the code that was mailed to it. Where others have registered it too, from elsewhere, the code
   * proves nothing of the password: then none works, and another mail lets the owner of the address choose one.
   * @throws BadRequest, the same for a wrong, expired or unknown one; RateLimited
   */
  async confirm(client: Client, address: string, code: string): Promise<Confirmation> {
    const { dataSource, throttle } = this.parts;
    const email = normalizeEmail(address);
    const attempt = async (): Promise<User> => {
      const user = await dataSource.transaction((tx) => this.confirmWithin(tx, client, email, code));
      // Thrown only now: that a try was used up has to be committed.
      if (!user) throw new Unauthorized();
      return user;
    };
    try {
      return { confirmed: true, user: await throttle.attemptCode(client.address, attempt) };
    } catch (error) {
      if (error instanceof RateLimited) await this.recordWrongCode(client, 'denied', 'too many wrong codes');
      if (!(error instanceof Unauthorized)) throw error;
      await this.recordWrongCode(client, 'failure', 'the code is wrong or has expired');
      throw new BadRequest('The code is wrong or has expired. Please register again to get a new one.', 'code');
    }
  }

  /** Drops the registrations that nobody has confirmed in time, and the invitations that nobody has answered. */
  async prune(): Promise<void> {
    const { accounts, erasure } = this.parts;
    for (let isMore = true; isMore;) {
      isMore = await accounts.change(async (change) => {
        const users = await change.tx.query<Pick<User, 'id' | 'tenantId'>[]>(UNCONFIRMED);
        await erasure.delete(change, users);
        for (const user of users) await change.record(user, 'user.delete', 'the address was not confirmed in time');
        return users.length === PRUNED_TOGETHER;
      });
    }
  }

  private async confirmWithin(
    tx: EntityManager,
    client: Client,
    email: string,
    code: string,
  ): Promise<User | undefined> {
    const row = await lockCode(tx, email);
    const userId = row?.userId ?? '';
    const isRight = timingSafeEqual(this.hashOf(userId, code), row?.codeHash ?? this.hashOf('', ''));
    if (!row || row.triesLeft <= 0 || row.expiresAt.getTime() <= Date.now()) return undefined;
    if (!isRight) {
      await tx.update(ConfirmationCode, { userId }, { triesLeft: row.triesLeft - 1 });
      return undefined;
    }
    const isTheirs = !row.isContested || row.networkHash.equals(this.networkHashOf(client));
    await tx.delete(ConfirmationCode, { userId });
    const changes = { confirmed: true, confirmBefore: null, ...(!isTheirs && { passwordHash: null }) };
    await tx.update(User, { id: userId }, changes);
    if (!isTheirs) await this.mailChoice(tx, userId, email);
    const user = await tx.findOneByOrFail(User, { id: userId });
    await this.record(tx, client, 'user.confirm', user);
    return user;
  }

  private async mailChoice(tx: EntityManager, userId: string, email: string): Promise<void> {
    const { tokens, mailer, mails } = this.parts;
    const token = await tokens.issue(tx, userId, CHOICE_MS);
    await mailer.send(mails.contestedRegistration(email, token), userId, tx);
  }

  private async write(
    tx: EntityManager,
    client: Client,
    values: Pick<User, 'tenantId' | 'email' | 'username' | 'passwordHash'>,
  ): Promise<User> {
    if (!(await keepTenant(tx, values.tenantId))) throw new Forbidden(REFUSALS.closed, 'closed');
    const known = await tx.findOne(User, { where: local(values.email), lock: { mode: 'pessimistic_write' } });
    if (known && known.confirmBefore === null) {
      throw new Conflict('duplicate', 'There is an account with this address. Please sign in.', 'email');
    }
    const now = Date.now();
    const id = known?.id ?? newId('usr');
    const pending = { ...values, confirmBefore: new Date(now + CONFIRM_WITHIN_MS), createdAt: new Date(now) };
    if (known) await tx.update(User, { id }, pending);
    else await tx.insert(User, { id, ...pending, ...NEW_USER });
    const code = String(randomInt(CODES)).padStart(6, '0');
    const before = await tx.findOneBy(ConfirmationCode, { userId: id });
    const networkHash = this.networkHashOf(client);
    const row = {
      userId: id,
      codeHash: this.hashOf(id, code),
      triesLeft: CODE_TRIES,
      networkHash,
      isContested: before !== null && (before.isContested || !before.networkHash.equals(networkHash)),
      expiresAt: new Date(now + CODE_MS),
    };
    await tx.upsert(ConfirmationCode, row, ['userId']);
    await this.parts.mailer.send(this.parts.mails.confirmation(values.email, code), id, tx);
    await this.record(tx, client, 'user.register', { id, tenantId: values.tenantId });
    return tx.findOneByOrFail(User, { id });
  }

  private record(
    tx: EntityManager,
    client: Client,
    action: `user.${string}`,
    { id, tenantId }: Pick<User, 'id' | 'tenantId'>,
  ): Promise<void> {
    const event = { tenantId, action, target: { type: 'user', id } };
    return this.parts.audit.record(tx, userActor(client, id), event);
  }

  /** Whose code it was to be is not told: there may be no such account. */
  private async recordWrongCode(client: Client, outcome: 'denied' | 'failure', reason: string): Promise<void> {
    const refusal = { tenantId: null, action: 'user.confirm', outcome, reason } as const;
    await this.parts.audit.recordRefusal(unknownActor(client), refusal);
  }

  /** Two registrations of one address at the same moment: the second replaces the first. */
  private async repeatOnRace<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return run();
    }
  }

  private hashOf(userId: string, code: string): Buffer {
    return this.parts.secretBox.mac('confirmation-code', userId, code.trim());
  }

  private networkHashOf({ address }: Client): Buffer {
    return this.parts.secretBox.mac('registration-network', networkOf(address));
  }
}

const NEW_USER = {
  confirmed: false,
  status: 'active',
  privileges: ['user'],
  groupMemberships: [],
  userVersion: 1,
} satisfies Partial<User>;

/** The account with a password of its own that has an address. */
function local(email: string) {
  return { email, identityProviderId: IsNull() };
}

async function lockCode(tx: EntityManager, email: string): Promise<ConfirmationCode | null> {
  return tx
    .createQueryBuilder(ConfirmationCode, 'code')
    .innerJoin('code.user', 'user')
    .where('user.email = :email AND user.identity_provider_id IS NULL AND user.confirm_before > now()', { email })
    .setLock('pessimistic_write', undefined, ['code'])
    .getOne();
}
