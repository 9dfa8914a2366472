import type { Logger } from 'pino';
import type { CallClaim } from '../../admission/call-claim.js';
import type { CallOwner } from '../../access/caller.js';
import { newId } from '../../platform/ids.js';
import { periodOf } from '../../platform/month.js';
import { conflictOf } from './claim-conflict.js';
import { withLedgerTimeout } from './ledger.js';
import type { Ledger } from './ledger.js';
import type { Intent, CallOwner as LedgerOwner, Settlement } from './ledger.types.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from '../metering.types.js';
import { quotaExceeded } from '../quotas/quota-exceeded.js';
import type { RateLimitsService, TakenTokens } from '../limits/rate-limits.service.js';

/** A tokenizer is not asked before a call: no text has more tokens than a third of its bytes, but for rare ones. */
const BYTES_PER_TOKEN = 3;
/** What the template of a model puts around a message, at most. */
const TOKENS_PER_MESSAGE = 8;
const LARGEST_INTEGER = 2 ** 31 - 1;

interface MeteringParts {
  readonly ledger: Ledger;
  readonly limits: Pick<RateLimitsService, 'addTokens' | 'requestsPerMinute' | 'takeTokens'>;
  /** What an image, a sound or the like counts. */
  readonly tokensPerMediaPart: number;
  /** Is told of every user whose calls have been settled. */
  readonly settled: (userId: string) => void;
  readonly log: Logger;
}

interface StartedCallParts extends Omit<MeteringParts, 'limits'> {
  readonly limits: Pick<RateLimitsService, 'addTokens'>;
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
  async begin(caller: CallOwner, start: CallStart): Promise<OpenCall> {
    const { limits } = this.parts;
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
    return call;
  }

  private async admit(call: StartedCall): Promise<void> {
    const verdict = await this.parts.ledger.admit(call.intent);
    if (verdict.kind === 'claimed') throw conflictOf(verdict, call.intent.claim as CallClaim);
    if (verdict.kind === 'admitted') call.isLimited = verdict.isLimited;
    else throw quotaExceeded(verdict.kind, this.parts.limits.requestsPerMinute);
  }
}

/** A call from its intent to its settlement. */
export class StartedCall implements OpenCall {
  readonly intent: Intent;
  /** Set once it is admitted. */
  isLimited = false;
  /** What the tokens of its prompt have been taken from. */
  taken: TakenTokens | undefined;
  /** The parts of the reservation. */
  private readonly reserved: { readonly prompt: number; readonly answers: number };
  /** What a model reads of the prompt beside its texts. */
  private readonly nonTextTokens: number;
  private readonly begunAt = performance.now();
  private settlement: Promise<void> | undefined;

  constructor(
    readonly id: string,
    private readonly caller: CallOwner,
    { requestId, area, model, backend, prompt, longestAnswer, answers, claim, audio }: CallStart,
    private readonly parts: StartedCallParts,
  ) {
    const { tenantId, userId, tokenId } = caller;
    const createdAt = new Date();
    const { textBytes, bytes, messages, mediaParts, contextTokens } = prompt;
    const unwritten = mediaParts * parts.tokensPerMediaPart + contextTokens;
    this.reserved = {
      prompt: tokens(Math.ceil(bytes / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE * messages + unwritten),
      answers: answers === 0 ? 0 : tokens(answers * longestAnswer),
    };
    // A single message is a text and hardly more.
    this.nonTextTokens = prompt.tokens + TOKENS_PER_MESSAGE * Math.max(0, messages - 1) + unwritten;
    const promptTokens = Math.min(this.reserved.prompt, tokens(textBytes / BYTES_PER_TOKEN) + this.nonTextTokens);
    const reservedTokens = this.reserved.prompt + this.reserved.answers;
    const sound = (audio?.promptMilliseconds ?? 0) + (audio?.answerMilliseconds ?? 0);
    const milliseconds = { audioMs: tokens(audio?.promptMilliseconds ?? 0), reservedAudioMs: tokens(sound) };
    const owner = { id, tenantId, userId, period: periodOf(createdAt) };
    const call = { tokenId, requestId, area, model, backend, createdAt, claim };
    this.intent = { ...owner, ...call, ...milliseconds, promptTokens, reservedTokens };
  }

  get reservedTokens(): number {
    return this.intent.reservedTokens;
  }

  toCharge({ promptTokens, completionTokens, precision }: MeteredUsage): MeteredUsage {
    return {
      promptTokens: Math.min(this.reserved.prompt, promptTokens + this.nonTextTokens),
      // Without a bound that was sent an answer may be longer than what was reserved for it.
      completionTokens: this.isLimited ? Math.min(this.reserved.answers, completionTokens) : completionTokens,
      precision,
    };
  }

  async finish(usage: MeteredUsage, outcome: Outcome, backend?: string): Promise<void> {
    const { promptTokens, completionTokens, precision, audioMilliseconds = 0 } = usage;
    // It is never more than what was reserved.
    const audioMs = Math.min(this.intent.reservedAudioMs ?? 0, tokens(audioMilliseconds));
    this.settlement ??= this.settle({ promptTokens, completionTokens, audioMs, state: precision, outcome, backend });
    // Somebody waits for it in any case: what is late is written all the same.
    this.settlement.catch(() => undefined);
    await withLedgerTimeout(this.settlement);
  }

  private async settle(end: Omit<Settlement, keyof LedgerOwner | 'durationMs' | 'keepClaim'>) {
    const { id, tenantId, userId, period } = this.intent;
    // What has not become whole can be asked for anew.
    const keepClaim = this.intent.claim !== undefined && end.outcome === 'completed';
    const durationMs = Math.min(LARGEST_INTEGER, Math.round(performance.now() - this.begunAt));
    const numbers = { promptTokens: tokens(end.promptTokens), completionTokens: tokens(end.completionTokens) };
    const settlement = { ...end, ...numbers, id, tenantId, userId, period, durationMs, keepClaim };
    await this.parts.ledger.settle(settlement);
    this.parts.settled(userId);
    // The call is recorded; that the minute's limit does not know all of it is no reason to fail it.
    void this.correctMinute(numbers.promptTokens + numbers.completionTokens).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'the tokens of a call are missing in the limit of the minute');
    });
  }

  /** What was taken before the call, and what it has really used. */
  private async correctMinute(used: number): Promise<void> {
    await this.taken?.refund(used);
    await this.parts.limits.addTokens(this.caller, used - this.intent.promptTokens);
  }
}

/** A whole number that a column holds, whatever an upstream or a caller said. */
function tokens(number: number): number {
  return Number.isNaN(number) ? 0 : Math.min(LARGEST_INTEGER, Math.max(0, Math.ceil(number)));
}
