import { TokensUsedUp } from './token-budget.js';

/** The limit of a session that is used up. */
export type UsedUpLimit = 'max_tokens' | 'max_seconds';

/** Until when a run may work, and what ends it before. */
export class RunLimits {
  /** Aborted when the run is over: cancelled, deleted, or given up by its process. */
  readonly stopped: AbortSignal;
  /** Aborted when it is over, or its time is. */
  readonly working: AbortSignal;
  private readonly deadline: AbortSignal;
  /** The limit that was used up first. */
  usedUp: UsedUpLimit | undefined;

  /** @param milliseconds that are left of the time of the session */
  constructor(stopped: AbortSignal, milliseconds: number) {
    this.stopped = stopped;
    this.deadline = AbortSignal.timeout(Math.max(0, Math.min(milliseconds, 2 ** 31 - 1)));
    this.working = AbortSignal.any([stopped, this.deadline]);
  }

  /** Notes that a limit has ended something. @throws the error again where it was none */
  absorb(error: unknown): void {
    this.stopped.throwIfAborted();
    if (error instanceof TokensUsedUp) this.usedUp ??= 'max_tokens';
    else if (this.deadline.aborted) this.usedUp ??= 'max_seconds';
    else throw error;
  }
}
