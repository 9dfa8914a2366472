import type { Logger } from 'pino';
import type { Caller } from '../context.js';
import type { Ledger } from './ledger.js';
import type { Intent, Settlement } from './ledger.types.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from './metering.types.js';
import type { RateLimitsService } from './rate-limits.js';
import { periodOf } from './month.js';
import { within } from './within.js';

/** A tokenizer is not asked before a call: no text has more tokens than a third of its bytes, but for rare ones. */
const BYTES_PER_TOKEN = 3;
const LARGEST_INTEGER = 2 ** 31 - 1;

interface StartedCallParts {
  readonly ledger: Ledger;
  readonly limits: Pick<RateLimitsService, 'addTokens'>;
  readonly settled: (userId: string) => void;
  readonly log: Logger;
}

/** A call from its intent to its settlement. */
export class StartedCall implements OpenCall {
  readonly intent: Intent;
  private readonly begunAt = performance.now();
  private settlement: Promise<void> | undefined;

  constructor(
    readonly id: string,
    private readonly caller: Caller,
    { requestId, area, model, backend, promptBytes, longestAnswer, answers, claim }: CallStart,
    private readonly parts: StartedCallParts,
  ) {
    const { tenantId, userId, tokenId } = caller;
    const createdAt = new Date();
    const promptTokens = tokens(promptBytes / BYTES_PER_TOKEN);
    const reservedTokens = promptTokens + tokens(answers * longestAnswer);
    const owner = { id, tenantId, userId, period: periodOf(createdAt) };
    const call = { tokenId, requestId, area, model, backend, createdAt, claim };
    this.intent = { ...owner, ...call, promptTokens, reservedTokens };
  }

  async finish(usage: MeteredUsage, outcome: Outcome, backend?: string): Promise<void> {
    const { promptTokens, completionTokens, precision } = usage;
    this.settlement ??= this.settle({ promptTokens, completionTokens, state: precision, outcome, backend });
    // Somebody waits for it in any case: what is late is written all the same.
    this.settlement.catch(() => undefined);
    await within(this.settlement);
  }

  private async settle(end: Pick<Settlement, 'promptTokens' | 'completionTokens' | 'state' | 'outcome' | 'backend'>) {
    const { id, tenantId, userId, period } = this.intent;
    // What has not become whole can be asked for anew.
    const keepClaim = this.intent.claim !== undefined && end.outcome === 'completed';
    const durationMs = Math.min(LARGEST_INTEGER, Math.round(performance.now() - this.begunAt));
    const numbers = { promptTokens: tokens(end.promptTokens), completionTokens: tokens(end.completionTokens) };
    const settlement = { ...end, ...numbers, id, tenantId, userId, period, durationMs, keepClaim };
    await this.parts.ledger.settle(settlement);
    const beyond = numbers.promptTokens + numbers.completionTokens - this.intent.promptTokens;
    this.parts.settled(userId);
    // The call is recorded; that the minute's limit does not know all of it is no reason to fail it.
    void this.parts.limits.addTokens(this.caller, beyond).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'the tokens of a call are missing in the limit of the minute');
    });
  }
}

/** A whole number that a column holds, whatever an upstream or a caller said. */
function tokens(number: number): number {
  return Number.isNaN(number) ? 0 : Math.min(LARGEST_INTEGER, Math.max(0, Math.ceil(number)));
}
