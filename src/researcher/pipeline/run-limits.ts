import { TokensUsedUp } from './token-budget.js';

/** The limit of a session that is used up. */
export type UsedUpLimit = 'max_tokens' | 'max_seconds';

/** What is kept of the time of a session for what its sources say, and for its report. */
const KEPT_FOR_ANALYSIS = 0.2;

/** Until when a run may work, and what ends it before. */
export class RunLimits {
  /** Aborted when it is over, or its time is. */
  readonly working: AbortSignal;
  /** Aborted earlier, when nothing more is searched and fetched: what was read by then is still reported. */
  readonly collecting: AbortSignal;
  /** The limit that was used up first. */
  usedUp: UsedUpLimit | undefined;

  /**
   * @param stopped aborted when the run is over: cancelled, deleted, or given up by its process
   * @param end of the session, in Unix milliseconds
   * @param seconds that it has in all
   */
  constructor(
    readonly stopped: AbortSignal,
    end: number,
    seconds: number,
  ) {
    const all = seconds * 1_000;
    const kept = all * KEPT_FOR_ANALYSIS;
    this.working = AbortSignal.any([stopped, timeoutAt(end, all)]);
    this.collecting = AbortSignal.any([this.working, timeoutAt(end - kept, all - kept)]);
  }

  /** Notes that a limit has ended something. @throws the error again where it was none */
  absorb(error: unknown): void {
    this.stopped.throwIfAborted();
    if (error instanceof TokensUsedUp) this.usedUp ??= 'max_tokens';
    else if (this.isOfTime(error)) this.usedUp ??= 'max_seconds';
    else throw error;
  }

  /** Whether it is why a signal was aborted, or what somebody made of that. */
  private isOfTime(error: unknown): boolean {
    const reasons = [this.working, this.collecting].filter(({ aborted }) => aborted).map(({ reason }) => reason);
    const { cause } = Object(error) as { cause?: unknown };
    return reasons.some((reason) => reason === error || reason === cause);
  }
}

/** @param most milliseconds: where the clock was set back since a session began, its time is no longer than it was then */
function timeoutAt(time: number, most: number): AbortSignal {
  return AbortSignal.timeout(Math.min(most, Math.max(0, time - Date.now())));
}
