import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateState } from '../errors.js';
import type { Redis } from './redis.js';

const WINDOW_SECONDS = 60;

/** What several processes share in counting. */
export interface Sharing {
  /** Undefined: each process counts for itself. */
  readonly redis?: Redis;
  /** How many processes are alive. */
  readonly processes: () => number;
}

/** What a counter says of a subject after it was asked for something. */
export interface Count extends RateState {
  readonly isRefused: boolean;
}

/**
 * Counts what each subject uses in a minute that begins with its first use. Replicas count together in Redis; while that
 * is away each process allows its share of the limit.
 */
export class RateCounter {
  private readonly local: RateLimiterAbstract;
  private readonly shared: RateLimiterAbstract | undefined;

  /**
   * @param name of what is counted, unique
   * @param limit the most in a minute, at least 1
   */
  constructor(
    name: string,
    private readonly limit: number,
    private readonly sharing: Sharing,
  ) {
    this.local = new RateLimiterMemory({ keyPrefix: name, points: limit, duration: WINDOW_SECONDS });
    this.shared = sharing.redis?.createLimiter(name, limit, WINDOW_SECONDS);
  }

  /**
   * Takes an amount, or nothing where that would be more than is left. What is larger than the whole limit takes all of
   * it, so that waiting as long as the answer says is always enough.
   */
  async take(subject: string, amount = 1): Promise<Count> {
    const taken = Math.min(amount, this.limit);
    const { state, limit } = await this.move('penalty', subject, taken);
    const isRefused = state.consumedPoints > limit && !(state.consumedPoints === taken);
    if (isRefused) await this.giveBack(subject, taken);
    const remaining = isRefused ? 0 : Math.max(0, limit - state.consumedPoints);
    return { isRefused, limit, remaining, resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)) };
  }

  /** Adds what a call has used beyond what it took; it is never refused. */
  async add(subject: string, amount: number): Promise<void> {
    await this.move('penalty', subject, amount);
  }

  /** Gives back what was taken for something that was refused elsewhere. */
  async giveBack(subject: string, amount = 1): Promise<void> {
    await this.move('reward', subject, Math.min(amount, this.limit));
  }

  private async move(
    change: 'penalty' | 'reward',
    subject: string,
    amount: number,
  ): Promise<{ readonly state: RateLimiterRes; readonly limit: number }> {
    try {
      if (this.shared) return { state: await this.shared[change](subject, amount), limit: this.limit };
    } catch {
      // Redis tells the log, and the health, that it is away.
    }
    const share = this.shared ? Math.ceil(this.limit / Math.max(1, this.sharing.processes())) : this.limit;
    return { state: await this.local[change](subject, amount), limit: share };
  }
}
