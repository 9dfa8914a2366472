import { unprovenActor } from '../../access/audit-actor.js';
import type { Client } from '../../access/client.js';
import { Forbidden, RateLimited, Unauthorized } from '../../errors.js';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { User } from '../users/user.entity.js';

/** Of the throttle. */
const WINDOW_SECONDS = 15 * 60;

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
   * @param identifier what the account is called, as it was given
   * @param find the account of that name; it is asked for whoever the account is, so that the time tells nothing
   */
  async attempt<Result>(
    client: Client,
    identifier: string,
    find: () => Promise<KnownUser | null>,
    signIn: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await signIn();
    } catch (error) {
      const isFailure = error instanceof Unauthorized || error instanceof Forbidden || error instanceof RateLimited;
      if (isFailure) await this.recordFailure(client, identifier, await find(), error);
      throw error;
    }
  }

  /** Records that somebody could not sign in of whom nobody knows who it was; they are counted. */
  async recordUnknown(client: Client): Promise<void> {
    const refusal = { tenantId: null, action: 'user.sign_in', reason: 'a single sign-on by a browser failed' } as const;
    await this.parts.audit.recordRefusal(unprovenActor(client, 'unknown', null), refusal, WINDOW_SECONDS);
  }

  private async recordFailure(
    client: Client,
    identifier: string,
    user: KnownUser | null,
    error: Unauthorized | Forbidden | RateLimited,
  ): Promise<void> {
    const { audit, secretBox } = this.parts;
    const id = user?.id ?? secretBox.mac('audit-identifier', identifier).toString('base64url');
    const actor: AuditActor = unprovenActor(client, user ? 'user' : 'unknown', id);
    const event = toEvent(user, id);
    if (error instanceof RateLimited) {
      await audit.recordRefusal(actor, { ...event, reason: 'too many failed sign-ins' }, WINDOW_SECONDS);
    } else {
      const reason = error instanceof Forbidden ? 'the address is not confirmed' : 'the credentials are wrong';
      await audit.recordAlone(actor, { ...event, outcome: 'failure', reason });
    }
  }
}

function toEvent(user: KnownUser | null, id: string) {
  return {
    tenantId: user?.tenantId ?? null,
    action: 'user.sign_in',
    target: { type: user ? 'user' : 'account', id },
  } as const;
}
