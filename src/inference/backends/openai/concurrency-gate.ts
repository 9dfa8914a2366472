import { Unavailable } from '../../../errors.js';

/** How many calls a backend takes at once, and how many may wait. */
export interface GateOptions {
  /** Undefined: no limit. */
  readonly max?: number;
  readonly queue: { readonly max: number; readonly seconds: number };
}

/**
 * Lets so many calls in at once; the others wait for a bounded time. Those who wait are served in turn by caller, and
 * one caller has at most half of the waiting places, so that others find one.
 */
export class ConcurrencyGate {
  /** Each caller's calls in their order; whose turn is next stands first. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private waitingCount = 0;
  private count = 0;

  constructor(private readonly options: GateOptions) {}

  /** Calls that are inside. */
  get active(): number {
    return this.count;
  }

  /** Calls that are inside or wait. */
  get load(): number {
    return this.count + this.waitingCount;
  }

  /** Whether a call would be let in at once. */
  get hasRoom(): boolean {
    return this.count < (this.options.max ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Waits for a place, which `leave` must give back.
   * @throws Unavailable where the queue or the caller's half of it is full, or the wait too long; the signal's reason
   */
  async enter(caller: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasRoom) this.count += 1;
    else await this.turn(caller, signal);
  }

  /** Gives a place back. */
  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.count -= 1;
      return;
    }
    // The place passes on, so the count stays.
    const [caller, calls] = next;
    const [enter] = calls;
    enter?.();
    // What else the caller waits for comes after all others' next calls.
    if (this.waiting.delete(caller)) this.waiting.set(caller, calls);
  }

  private turn(caller: string, signal: AbortSignal): Promise<void> {
    const { max, seconds } = this.options.queue;
    const own = this.waiting.get(caller)?.size ?? 0;
    if (this.waitingCount >= max || own >= Math.max(1, Math.floor(max / 2))) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        this.remove(caller, enter);
        act();
      };
      const enter = (): void => settle(resolve);
      const aborted = (): void => settle(() => reject(signal.reason));
      const timer = setTimeout(() => settle(() => reject(busy())), seconds * 1000);
      signal.addEventListener('abort', aborted, { once: true });
      this.add(caller, enter);
    });
  }

  private add(caller: string, enter: () => void): void {
    const calls = this.waiting.get(caller);
    if (calls) calls.add(enter);
    else this.waiting.set(caller, new Set([enter]));
    this.waitingCount += 1;
  }

  private remove(caller: string, enter: () => void): void {
    const calls = this.waiting.get(caller);
    if (!calls?.delete(enter)) return;
    this.waitingCount -= 1;
    if (calls.size === 0) this.waiting.delete(caller);
  }
}

function busy(): Unavailable {
  return new Unavailable('The model server is busy. Please try again.', 1);
}
