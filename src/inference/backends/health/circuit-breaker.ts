/** Consecutive failures after which an instance gets no more calls. */
const FAILURES = 3;
/** How long an instance that has failed, but not often enough, is the last choice. */
const SHORT_PAUSE_MS = 1_000;
const SHORTEST_OPEN_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** How long a caller's failures and answers count together with those of others. */
const WINDOW_MS = 30_000;
/** Callers who are remembered; beyond it those who have not called for longest are forgotten. */
const CALLERS = 1_000;
/** Callers who must have failed. */
const FAILING_CALLERS = 3;

/**
 * `closed`: calls are sent, while a short pause lasts only those that no other takes; `open`: none; `halfOpen`: none,
 * until a probe has gone well.
 */
export type CircuitState = 'closed' | 'open' | 'halfOpen';

/**
 * Keeps the calls of one capability away from an instance that fails. What shows that the server is not there opens it
 * after three times in a row; that calls fail for several callers does too, but never what a single one sends. While it
 * is open only the prober asks; a probe that goes well closes it, and one more failure soon after opens it again for
 * twice as long, up to 30 s. It has no timers.
 */
export class CircuitBreaker {
  /** In a row. */
  private failures = 0;
  /** In a row, without a whole answer between them. */
  private openings = 0;
  private isOpen = false;
  private until = Number.NEGATIVE_INFINITY;
  private readonly shared: SharedFailures;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.shared = new SharedFailures(now);
  }

  get state(): CircuitState {
    if (!this.isOpen) return 'closed';
    return this.now() < this.until ? 'open' : 'halfOpen';
  }

  /** When a pause ends, by the clock; undefined: there is none. */
  get pausedUntil(): number | undefined {
    return this.now() < this.until ? this.until : undefined;
  }

  /** An answer to a caller has begun: calls may be sent again, but after many failures one more is enough to stop them. */
  answered(caller: string): void {
    this.shared.succeeded(caller);
    this.close();
  }

  /** An answer became whole. */
  succeeded(): void {
    this.close();
    this.failures = 0;
    this.openings = 0;
  }

  /** The server is not there: it cannot be connected to, or a probe failed. */
  failed(): void {
    // Calls that were under way when the circuit opened fail late, and prove nothing new.
    if (this.state === 'open') return;
    this.failures += 1;
    if (this.isOpen || this.failures >= FAILURES) this.open();
    else this.until = this.now() + SHORT_PAUSE_MS;
  }

  /** A call that was sent failed, which may be the fault of what the caller has sent. @param hadBegun its answer broke */
  failedFor(caller: string, hadBegun = false): void {
    const isShared = this.shared.failed(caller, hadBegun);
    if (isShared && this.state !== 'open') this.open();
  }

  /** The instance said that it is busy for so many seconds. */
  busy(seconds: number): void {
    const until = this.now() + Math.min(seconds * 1_000, LONGEST_PAUSE_MS);
    if (!this.isOpen) this.until = until;
  }

  /** A probe went well: it closes a circuit whose pause is over. */
  probed(): void {
    if (this.state === 'halfOpen') this.close();
  }

  private open(): void {
    const milliseconds = SHORTEST_OPEN_MS * 2 ** Math.min(this.openings, 10);
    this.openings += 1;
    this.isOpen = true;
    this.until = this.now() + Math.min(milliseconds, LONGEST_PAUSE_MS);
    this.shared.forget();
  }

  private close(): void {
    this.isOpen = false;
    this.until = Number.NEGATIVE_INFINITY;
    this.failures = Math.min(this.failures, FAILURES - 1);
  }
}

/** When a caller has last called, and last been answered; clock milliseconds. */
interface CallerOutcome {
  readonly at: number;
  readonly answeredAt: number;
}

/**
 * Whether calls fail for many callers, and not for one alone. It counts callers, not calls: who sends what a server
 * cannot digest counts once, however often that is sent, and not at all where an answer came too.
 */
class SharedFailures {
  /** Who has called last stands last. */
  private readonly callers = new Map<string, CallerOutcome>();

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

  private remember(caller: string, seen: CallerOutcome): void {
    this.callers.delete(caller);
    this.callers.set(caller, seen);
    if (this.callers.size <= CALLERS) return;
    const [oldest] = this.callers.keys();
    this.callers.delete(oldest as string);
  }
}
