import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';
import { actorOf, unknownActor, userActor } from '../../access/audit-actor.js';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { JwtCaller } from '../../access/caller.js';
import type { Client } from '../../access/client.js';
import { BadRequest, Conflict, NotFound, RateLimited, Unauthorized } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { SessionsService } from '../sessions/sessions.service.js';
import type { Accounts } from '../users/accounts.js';
import { normalizeEmail } from '../users/email.js';
import { LOCAL_FIRST, User } from '../users/user.entity.js';
import type { PasswordHasher } from './password-hasher.js';
import { requireGoodPassword } from './password-policy.js';
import type { PasswordTokens } from './password-tokens.js';

interface PasswordsParts {
  readonly dataSource: DataSource;
  readonly accounts: Accounts;
  readonly sessions: SessionsService;
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly tokens: PasswordTokens;
  readonly audit: AuditRecorder;
}

/** Changes passwords: by their owners, by the link of a mail, and by services. */
export class PasswordsService {
  constructor(private readonly parts: PasswordsParts) {}

  /**
   * Changes the caller's password; every other session of the caller ends.
   * @throws BadRequest that names the field, also for a wrong current password; Conflict where somebody else keeps the
   * password; RateLimited after too many wrong ones
   */
  async change(caller: JwtCaller, client: Client, current: string, next: string): Promise<void> {
    const { dataSource, hasher, throttle, sessions, tokens } = this.parts;
    const user = await dataSource.getRepository(User).findOneBy({ id: caller.userId });
    if (!user) throw new Unauthorized();
    requireOwnPassword(user);
    requireGoodPassword('newPassword', next, user.email);
    const isRight = await throttle
      .attempt(user.email, client.address, async () => {
        if (!(await hasher.verify(user.passwordHash, current))) throw new Unauthorized();
        return true;
      })
      .catch(async (error: unknown) => {
        // The token is good: 401 would send its client to the sign-in.
        if (error instanceof Unauthorized) return false;
        if (error instanceof RateLimited) await this.recordThrottled(caller, user);
        throw error;
      });
    if (!isRight) {
      const failure = { outcome: 'failure', reason: 'the password is wrong' } as const;
      await this.parts.audit.recordAlone(actorOf(caller), { ...toEvent(user, 'password.change'), ...failure });
      throw new BadRequest('currentPassword is wrong.', 'currentPassword');
    }
    const passwordHash = await hasher.hash(next);
    await sessions.endOthers(caller, async (tx) => {
      const { affected } = await tx.update(
        User,
        { id: user.id, passwordHash: user.passwordHash ?? IsNull() },
        { passwordHash },
      );
      if (!affected) throw new Conflict('conflict', 'The password has been changed meanwhile. Please sign in again.');
      await tokens.revokeAll(tx, user.id);
      await this.parts.audit.record(tx, actorOf(caller), toEvent(user, 'password.change'));
    });
  }

  /**
   * Sets the password of the account that a mailed token is for; the token works once, and every session ends.
   * @throws BadRequest that names the field, the same for a wrong, expired or used token
   */
  async reset(client: Client, token: string, password: string): Promise<void> {
    try {
      await this.resetByToken(client, token, password);
    } catch (error) {
      if (error instanceof BadRequest && error.details.param === 'token') await this.recordUnusableToken(client);
      throw error;
    }
  }

  /**
   * Sets the password of an account on a service's behalf; every session ends.
   * @returns whose it is
   * @throws BadRequest that names the field; NotFound; Conflict where somebody else keeps the password
   */
  async set(
    actor: AuditActor,
    account: { readonly userId?: string | null; readonly email?: string | null },
    password: string,
  ): Promise<string> {
    const user = await this.find(account);
    requireOwnPassword(user);
    requireGoodPassword('newPassword', password, user.email);
    await this.write(actor, 'password.set', user, password);
    return user.id;
  }

  private async resetByToken(client: Client, token: string, password: string): Promise<void> {
    const { tokens, dataSource } = this.parts;
    const userId = await tokens.findUserId(token);
    const user = userId === undefined ? null : await dataSource.getRepository(User).findOneBy({ id: userId });
    if (!user || user.status === 'deleted' || user.identityProviderId !== null) throw unusableToken();
    requireGoodPassword('newPassword', password, user.email);
    await this.write(userActor(client, user.id), 'password.reset', user, password, token);
  }

  private async recordThrottled(caller: JwtCaller, user: User): Promise<void> {
    const refusal = { ...toEvent(user, 'password.change'), reason: 'too many wrong passwords' };
    await this.parts.audit.recordRefusal(actorOf(caller), refusal);
  }

  /** Whose it was to be nobody knows. */
  private async recordUnusableToken(client: Client): Promise<void> {
    const reason = 'the token is wrong, has expired, or was used';
    const refusal = { tenantId: null, action: 'password.reset', outcome: 'failure', reason } as const;
    await this.parts.audit.recordRefusal(unknownActor(client), refusal);
  }

  private async find({
    userId,
    email,
  }: {
    readonly userId?: string | null;
    readonly email?: string | null;
  }): Promise<User> {
    if (typeof userId === typeof email) throw new BadRequest('Either userId or email must be given.', 'userId');
    const users = this.parts.dataSource.getRepository(User);
    const user = email
      ? await users.findOne({ where: { email: normalizeEmail(email) }, order: LOCAL_FIRST })
      : isId('usr', userId ?? '') && (await users.findOneBy({ id: userId ?? '' }));
    if (!user || user.status === 'deleted') throw new NotFound('The user does not exist.');
    return user;
  }

  private async write(
    actor: AuditActor,
    action: `password.${string}`,
    user: User,
    password: string,
    token?: string,
  ): Promise<void> {
    const { id } = user;
    const { hasher, accounts, tokens } = this.parts;
    const passwordHash = await hasher.hash(password);
    await accounts.change(async ({ tx, endSessions }) => {
      if (token !== undefined && !(await tokens.redeem(tx, token, id))) throw unusableToken();
      // Whoever has the mail has the address; and what a service says counts as much.
      const where = { id, identityProviderId: IsNull() };
      const { affected } = await tx.update(User, where, { passwordHash, confirmed: true, confirmBefore: null });
      if (!affected) throw new NotFound('The user does not exist.');
      await tokens.revokeAll(tx, id);
      await endSessions([id]);
      await this.parts.audit.record(tx, actor, toEvent(user, action));
    });
  }
}

function toEvent({ id, tenantId }: User, action: `password.${string}`) {
  return { tenantId, action, target: { type: 'user', id } };
}

function requireOwnPassword({ identityProviderId }: User): void {
  if (identityProviderId === null) return;
  throw new Conflict(
    'conflict',
    'The password of this account is kept by its identity provider. Please change it there.',
  );
}

function unusableToken(): BadRequest {
  return new BadRequest('The token is wrong, has expired, or was used. Please ask for another mail.', 'token');
}
