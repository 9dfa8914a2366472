import type { Logger } from 'pino';
import type { CallClaim } from '../../admission/call-claim.js';
import type { Caller } from '../../access/caller.js';
import { QuotaExceeded } from '../../errors.js';
import { newId } from '../../platform/ids.js';
import { conflictOf } from './claim-conflict.js';
import type { Ledger } from './ledger.js';
import type { CallStart, OpenCall } from '../metering.types.js';
import { secondsToNextMonth } from '../month.js';
import type { TokenLimits } from '../quotas/token-limits.js';
import { StartedCall } from './started-call.js';
import type { RateLimitsService } from '../limits/rate-limits.service.js';

interface MeteringParts {
  readonly ledger: Ledger;
  readonly limits: Pick<RateLimitsService, 'addTokens' | 'requestsPerMinute' | 'takeTokens'>;
  readonly tokenLimits: Pick<TokenLimits, 'holdFor'>;
  readonly tokensPerMediaPart: number;
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
    const { limits, tokenLimits } = this.parts;
    const call = new StartedCall(newId('call'), caller, start, this.parts);
    try {
      call.taken = await limits.takeTokens(caller, call.intent.promptTokens);
      await this.admit(call);
    } catch (error) {
      // Whoever is refused has used nothing.
      await call.taken?.refund(0);
      await start.refundRateLimit?.();
      throw error;
    }
    call.isLimited = await tokenLimits.holdFor(caller.tenantId);
    return call;
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
