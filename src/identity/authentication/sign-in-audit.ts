import { unknownActor, userActor } from '../../access/audit-actor.js';
import type { Client } from '../../access/client.js';
import { Forbidden, RateLimited, Unauthorized } from '../../errors.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { accountIdentifier } from '../users/account-identifier.js';
import { SignInRefused } from '../users/sign-in-refused.js';
import type { User } from '../users/user.entity.js';

/** How many failures of a window are recorded one by one: all of an account, and as many from a network as one may have. */
const FAILURES = 30;

type KnownUser = Pick<User, 'id' | 'tenantId'>;

/** What sign-ins are recorded with. */
export interface SignInAuditParts {
  readonly audit: AuditRecorder;
  readonly secretBox: Pick<SecretBox, 'mac'>;
}

/** Records how sign-ins fail; those that do not are recorded with their sessions. Whoever has no account is known by a keyed hash, in the chain of the platform. */
export class SignInAudit {
  constructor(private readonly parts: SignInAuditParts) {}

  /**
   * Runs a sign-in, and records that it failed or was refused.
   * @param name what the account is called; undefined where what was given is no name, but perhaps a secret
   * @param find the account of that name; it is asked for whoever the account is, so that the time tells nothing
   */
  async attempt<Result>(
    client: Client,
    name: string | undefined,
    find: () => Promise<KnownUser | null>,
    signIn: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await signIn();
    } catch (error) {
      const isFailure = error instanceof Unauthorized || error instanceof Forbidden || error instanceof RateLimited;
      if (isFailure) await this.recordFailure(client, name, await find(), error);
      throw error;
    }
  }

  /** Records that somebody could not sign in of whom nobody knows who it was; they are counted. */
  async recordUnknown(client: Client): Promise<void> {
    const refusal = { tenantId: null, action: 'user.sign_in', reason: 'a single sign-on by a browser failed' } as const;
    await this.parts.audit.recordRefusal(unknownActor(client), refusal);
  }

  private async recordFailure(
    client: Client,
    name: string | undefined,
    user: KnownUser | null,
    error: Unauthorized | Forbidden | RateLimited,
  ): Promise<void> {
    const { audit, secretBox } = this.parts;
    const identifier = name === undefined ? null : accountIdentifier(secretBox, name);
    const isThrottled = error instanceof RateLimited;
    const refusal = {
      tenantId: user?.tenantId ?? null,
      action: 'user.sign_in',
      target: user ? { type: 'user', id: user.id } : { type: 'account', id: identifier },
      outcome: isThrottled ? 'denied' : 'failure',
      reason: reasonOf(error),
      recordedEach: isThrottled ? 1 : FAILURES,
    } as const;
    await audit.recordRefusal(user ? userActor(client, user.id) : unknownActor(client, identifier), refusal);
  }
}

/** For the log alone: what is answered does not tell these apart. */
function reasonOf(error: Unauthorized | Forbidden | RateLimited): string {
  if (error instanceof RateLimited) return 'too many failed sign-ins';
  if (error instanceof Forbidden) return 'the address is not confirmed';
  if (error instanceof SignInRefused) return error.why;
  return 'the credentials are wrong';
}
