/** How long somebody may leave an answer unread, in milliseconds; so much is a place worth that others wait for. */
const IDLE_MS = 600_000;

/** Counts the time in which answers are waited for, and not that in which they are looked at. */
export class WorkClock {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  /**
   * @param left milliseconds
   * @param end called when they are over, or the pause takes longer than ten minutes
   */
  constructor(
    private left: number,
    private readonly end: () => void,
  ) {}

  /** An answer is waited for. */
  start(): void {
    this.startedAt = performance.now();
    this.set(Math.max(0, this.left));
  }

  /** The answer is there. */
  pause(): void {
    this.left -= performance.now() - this.startedAt;
    this.set(IDLE_MS);
  }

  /** Nothing is counted any more. */
  close(): void {
    clearTimeout(this.timer);
  }

  private set(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.end, milliseconds).unref();
  }
}
