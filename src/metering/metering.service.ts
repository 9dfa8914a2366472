import type { Logger } from 'pino';
import type { CallClaim, Caller } from '../context.js';
import { QuotaExceeded } from '../errors.js';
import { newId } from '../platform/ids.js';
import { conflictOf } from './claim-conflict.js';
import type { Ledger } from './ledger.js';
import type { Verdict } from './ledger.types.js';
import type { CallStart, OpenCall } from './metering.types.js';
import { secondsToNextMonth } from './month.js';
import { StartedCall } from './started-call.js';
import type { RateLimitsService } from './rate-limits.js';
import { RECORD_MILLISECONDS, unrecordable, within } from './within.js';

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
  /** The calls that this process has open, by id. */
  private readonly open = new Set<string>();

  constructor(private readonly parts: MeteringParts) {}

  /** Whether this process has the call open. */
  isOpen(callId: string): boolean {
    return this.open.has(callId);
  }

  /**
   * Opens a call; resolves when it is durable.
   * @throws QuotaExceeded; Unavailable while the ledger cannot be written, so that nothing is answered without a record
   */
  async begin(caller: Caller, start: CallStart): Promise<OpenCall> {
    const { ledger, limits } = this.parts;
    if (ledger.failingMilliseconds > RECORD_MILLISECONDS) throw unrecordable();
    const id = newId('call');
    const call = new StartedCall(id, caller, start, { ...this.parts, ended: () => this.open.delete(id) });
    const { promptTokens } = call.intent;
    let tookTokens = false;
    try {
      await limits.takeTokens(caller, promptTokens);
      tookTokens = true;
      await this.admit(call, start);
      return call;
    } catch (error) {
      // Whoever is refused has used nothing.
      if (tookTokens) await limits.giveBackTokens(caller, promptTokens);
      await start.uncount?.();
      throw error;
    }
  }

  private async admit(call: StartedCall, start: CallStart): Promise<void> {
    this.open.add(call.id);
    const admission = this.parts.ledger.admit(call.intent);
    let verdict: Verdict;
    try {
      verdict = await within(admission);
    } catch (error) {
      this.abandon(call, admission);
      throw error;
    }
    if (verdict.kind === 'admitted') return;
    this.open.delete(call.id);
    if (verdict.kind === 'claimed') throw conflictOf(verdict, start.claim as CallClaim);
    throw quotaExceeded(verdict.kind, this.parts.limits.requestsPerMinute);
  }

  /** A call that came too late into the ledger has not been made. */
  private abandon(call: StartedCall, admission: Promise<Verdict>): void {
    admission.then(
      (verdict) => (verdict.kind === 'admitted' ? call.withdraw() : this.open.delete(call.id)),
      () => this.open.delete(call.id),
    );
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
