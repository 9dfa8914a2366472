const WINDOW_MS = 30_000;
/** Callers who are remembered; beyond it those who have not called for longest are forgotten. */
const CALLERS = 1_000;
/** Callers who must have failed. */
const FAILING_CALLERS = 3;

/** When a caller has last called, and last been answered; clock milliseconds. */
interface Seen {
  readonly at: number;
  readonly answeredAt: number;
}

/**
 * Whether calls fail for many callers, and not for one alone. It counts callers, not calls: who sends what a server
 * cannot digest counts once, however often that is sent, and not at all where an answer came too.
 */
export class SharedFailures {
  /** Who has called last stands last. */
  private readonly callers = new Map<string, Seen>();

  constructor(private readonly now: () => number) {}

  succeeded(caller: string): void {
    const at = this.now();
    this.remember(caller, { at, answeredAt: at });
  }

  /**
   * @param hadBegun the answer broke, so that its beginning was none
   * @returns whether at least three callers, and half of all, have had nothing but failures within 30 s
   */
  failed(caller: string, hadBegun: boolean): boolean {
    const answeredAt = hadBegun ? undefined : this.callers.get(caller)?.answeredAt;
    this.remember(caller, { at: this.now(), answeredAt: answeredAt ?? Number.NEGATIVE_INFINITY });
    const since = this.now() - WINDOW_MS;
    let failing = 0;
    for (const [known, seen] of this.callers) {
      if (seen.at < since) this.callers.delete(known);
      else if (seen.answeredAt < since) failing += 1;
    }
    return failing >= FAILING_CALLERS && 2 * failing >= this.callers.size;
  }

  /** Begins anew. */
  forget(): void {
    this.callers.clear();
  }

  private remember(caller: string, seen: Seen): void {
    this.callers.delete(caller);
    this.callers.set(caller, seen);
    if (this.callers.size <= CALLERS) return;
    const [oldest] = this.callers.keys();
    this.callers.delete(oldest as string);
  }
}
