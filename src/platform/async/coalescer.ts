/** Does something once for all that happens within a time to the same key. */
export class Coalescer {
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  /** @param waitMs how long after the first call of a key it is done, in milliseconds */
  constructor(private readonly waitMs: number) {}

  /** Does it once the time is over, unless that is going to happen for this key already. */
  call(key: string, action: () => void): void {
    if (this.waiting.has(key)) return;
    const act = (): void => {
      this.waiting.delete(key);
      action();
    };
    this.waiting.set(key, setTimeout(act, this.waitMs).unref());
  }

  /** Drops what has not been done yet. */
  close(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}
