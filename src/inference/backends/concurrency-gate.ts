import { Unavailable } from '../../errors.js';

/** How many calls a backend takes at once, and how many may wait. */
export interface GateOptions {
  /** Undefined: no limit. */
  readonly max?: number;
  readonly queue: { readonly max: number; readonly seconds: number };
}

/** Lets so many calls in at once; the others wait in order, for a bounded time. */
export class ConcurrencyGate {
  private readonly waiting = new Set<() => void>();
  private count = 0;

  constructor(private readonly options: GateOptions) {}

  /** Calls that are inside. */
  get active(): number {
    return this.count;
  }

  /** Calls that are inside or wait. */
  get load(): number {
    return this.count + this.waiting.size;
  }

  /** Whether a call would be let in at once. */
  get hasRoom(): boolean {
    return this.count < (this.options.max ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Waits for a place, which `leave` must give back.
   * @throws Unavailable where the queue is full or the wait too long, or the reason of the signal
   */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasRoom) this.count += 1;
    else await this.turn(signal);
  }

  /** Gives a place back. */
  leave(): void {
    const [next] = this.waiting;
    // The place passes on to whoever waits longest, so the count stays.
    if (next) next();
    else this.count -= 1;
  }

  private turn(signal: AbortSignal): Promise<void> {
    const { max, seconds } = this.options.queue;
    if (this.waiting.size >= max) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        this.waiting.delete(enter);
        act();
      };
      const enter = (): void => settle(resolve);
      const aborted = (): void => settle(() => reject(signal.reason));
      const timer = setTimeout(() => settle(() => reject(busy())), seconds * 1000);
      signal.addEventListener('abort', aborted, { once: true });
      this.waiting.add(enter);
    });
  }
}

function busy(): Unavailable {
  return new Unavailable('The model server is busy. Please try again.', 1);
}
