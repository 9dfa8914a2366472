import type { Logger } from 'pino';
import type { CallClaim, Caller } from '../context.js';
import { QuotaExceeded } from '../errors.js';
import { newId } from '../platform/ids.js';
import { conflictOf } from './claim-conflict.js';
import type { Ledger } from './ledger.js';
import type { CallStart, OpenCall } from './metering.types.js';
import { secondsToNextMonth } from './month.js';
import { StartedCall } from './started-call.js';
import type { RateLimitsService } from './rate-limits.js';

interface MeteringParts {
  readonly ledger: Ledger;
  readonly limits: Pick<RateLimitsService, 'addTokens' | 'giveBackTokens' | 'requestsPerMinute' | 'takeTokens'>;
  /** Is told of every user whose calls have been settled. */
  readonly settled: (userId: string) => void;
  readonly log: Logger;
}

/**
 * Records every call of a model, once: it is in the ledger before the upstream sees it, where it holds its part of the
 * quota, and settled before the client sees its end.
 */
export class MeteringService {
  constructor(private readonly parts: MeteringParts) {}

  /**
   * Opens a call; resolves when it is durable.
   * @throws QuotaExceeded; Unavailable while the ledger cannot be written, so that nothing is answered without a record
   */
  async begin(caller: Caller, start: CallStart): Promise<OpenCall> {
    const { limits } = this.parts;
    const call = new StartedCall(newId('call'), caller, start, this.parts);
    const { promptTokens } = call.intent;
    let tookTokens = false;
    try {
      await limits.takeTokens(caller, promptTokens);
      tookTokens = true;
      await this.admit(call);
      return call;
    } catch (error) {
      // Whoever is refused has used nothing.
      if (tookTokens) await limits.giveBackTokens(caller, promptTokens);
      await start.uncount?.();
      throw error;
    }
  }

  private async admit({ intent }: StartedCall): Promise<void> {
    const verdict = await this.parts.ledger.admit(intent);
    if (verdict.kind === 'admitted') return;
    if (verdict.kind === 'claimed') throw conflictOf(verdict, intent.claim as CallClaim);
    throw quotaExceeded(verdict.kind, this.parts.limits.requestsPerMinute);
  }
}

/** @param requestsPerMinute told as ever: a client reads the same headers from every refusal */
function quotaExceeded(limit: 'requests' | 'tokens', requestsPerMinute: number): QuotaExceeded {
  const state = { limit: requestsPerMinute, remaining: 0, resetSeconds: secondsToNextMonth(new Date()) };
  const message =
    limit === 'tokens'
      ? 'The tokens of this month do not suffice for this call: its prompt and the longest answer that it allows count. A smaller max_tokens may help.'
      : 'The requests of this month are used up.';
  return new QuotaExceeded(message, state);
}
