/** Consecutive failures after which an instance gets no more calls. */
const FAILURES = 3;
/** How long an instance that has failed, but not often enough, is the last choice. */
const REST_MILLISECONDS = 1_000;
const SHORTEST_PAUSE_MILLISECONDS = 2_000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/**
 * What may be sent to an instance: `ready` anything; `resting` only what no other takes; `probe` one call, to find out;
 * `open` nothing.
 */
export type Standing = 'ready' | 'resting' | 'probe' | 'open';

/**
 * Keeps calls away from an instance that fails or is busy: it gets none for a while, unless there is no other, then one
 * as a probe, and all again when that is answered. After three failures in a row it gets none but its probes, and each
 * that fails doubles the pause, up to 30 s. It has no timers.
 */
export class CircuitBreaker {
  /** In a row. */
  private failures = 0;
  /** The last that is known is a failure, or that it was busy. */
  private doubtful = false;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private probing = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get standing(): Standing {
    if (!this.doubtful) return 'ready';
    if (!this.probing && this.now() >= this.pausedUntil) return 'probe';
    return this.failures < FAILURES ? 'resting' : 'open';
  }

  /** Takes the place of the probe, if that is what is due; the returned function gives it back. */
  beginProbe(): () => void {
    if (this.standing !== 'probe') return () => undefined;
    this.probing = true;
    return () => {
      this.probing = false;
    };
  }

  /** An answer has begun: calls may be sent again, but after many failures one more is enough to stop them. */
  answered(): void {
    this.doubtful = false;
    this.failures = Math.min(this.failures, FAILURES - 1);
  }

  /** An answer became whole. */
  succeeded(): void {
    this.doubtful = false;
    this.failures = 0;
  }

  /** A call, or a check of the instance's health, has failed. */
  failed(): void {
    // Calls that were under way when the circuit opened fail late, and prove nothing new.
    if (this.standing === 'open' && !this.probing) return;
    this.failures += 1;
    this.pauseFor(this.failures < FAILURES ? REST_MILLISECONDS : this.openMilliseconds());
  }

  /** The instance said that it is busy for so many seconds. */
  busy(seconds: number): void {
    this.pauseFor(Math.min(seconds * 1000, LONGEST_PAUSE_MILLISECONDS));
  }

  /** A check of the health went well: an open circuit gets its probe now. */
  healthy(): void {
    if (this.failures >= FAILURES) this.pausedUntil = Number.NEGATIVE_INFINITY;
  }

  private pauseFor(milliseconds: number): void {
    this.doubtful = true;
    this.pausedUntil = this.now() + milliseconds;
  }

  private openMilliseconds(): number {
    const doublings = Math.min(this.failures - FAILURES, 10);
    return Math.min(SHORTEST_PAUSE_MILLISECONDS * 2 ** doublings, LONGEST_PAUSE_MILLISECONDS);
  }
}
