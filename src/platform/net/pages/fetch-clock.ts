import { PageRefused } from './page-refused.js';

/** How long a fetch waits for its turns in all, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** The deadline of one fetch. The time in which others have their turn is counted apart. */
export class FetchClock {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private startedAt = performance.now();
  private isWaiting = false;
  /** What is left, in milliseconds, since `startedAt`. */
  private left: { work: number; wait: number };

  constructor(
    private readonly caller: AbortSignal,
    seconds: number,
  ) {
    this.left = { work: seconds * 1_000, wait: LONGEST_WAIT_MS };
    if (caller.aborted) this.leave();
    else caller.addEventListener('abort', this.leave, { once: true });
    this.turnTo(false);
  }

  /** Aborted with the caller's reason, or with a PageRefused `timeout` or `host_busy`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** What is left of the deadline, in milliseconds. */
  get leftMs(): number {
    return this.isWaiting ? this.left.work : this.left.work - (performance.now() - this.startedAt);
  }

  /** Waits for a turn. @throws what `take` throws */
  async waiting<T>(take: () => Promise<T>): Promise<T> {
    this.turnTo(true);
    try {
      return await take();
    } finally {
      this.turnTo(false);
    }
  }

  /** Nothing is counted any more. */
  close(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.leave);
  }

  private turnTo(isWaiting: boolean): void {
    const now = performance.now();
    this.left[this.isWaiting ? 'wait' : 'work'] -= now - this.startedAt;
    [this.startedAt, this.isWaiting] = [now, isWaiting];
    clearTimeout(this.timer);
    if (this.signal.aborted) return;
    const late = () => this.controller.abort(new PageRefused(isWaiting ? 'host_busy' : 'timeout'));
    this.timer = setTimeout(late, Math.max(0, this.left[isWaiting ? 'wait' : 'work'])).unref();
  }

  private readonly leave = (): void => {
    clearTimeout(this.timer);
    this.controller.abort(this.caller.reason);
  };
}
