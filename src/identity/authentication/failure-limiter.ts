import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Forbidden, RateLimited, Unauthorized } from '../../errors.js';

/** Between two looks at the clock. */
const CLOCK_MS = 5;

/** An attempt that has been counted. */
interface Counted {
  /** When its window ends. */
  readonly endsAt: number;
  /** Where the limit is reached. */
  readonly refusal?: RateLimiterRes;
}

/**
 * Bounds the failed attempts on a key in a window of time. Each attempt is counted before it runs and given back
 * unless it fails, so that attempts at the same time cannot outrun the limit.
 */
export class FailureLimiter {
  private readonly running = new Map<string, Set<Promise<void>>>();

  /** @param limiter counts the failures; its window begins with the first of them */
  constructor(private readonly limiter: RateLimiterAbstract) {}

  /**
   * Runs an attempt; only one that ends as Unauthorized counts, or as Forbidden: the password was right, but may not be
   * theirs.
   * @throws RateLimited without running it when too many have failed; waiting until its reset is enough
   */
  async attempt<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    let counted: Counted;
    for (;;) {
      counted = await this.count(key);
      if (!counted.refusal) break;
      await this.refund(key, counted);
      const running = this.running.get(key);
      if (!running) throw this.refused(counted.refusal);
      // What still runs may yet succeed and give its place back.
      await Promise.race(running);
    }
    const result = run();
    await this.track(key, result, counted);
    return result;
  }

  private async count(key: string): Promise<Counted> {
    const askedAt = Date.now();
    const endsAt = ({ msBeforeNext }: RateLimiterRes): number => askedAt + msBeforeNext;
    return this.limiter.consume(key).then(
      (state) => ({ endsAt: endsAt(state) }),
      (refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return { endsAt: endsAt(refusal), refusal };
        throw refusal;
      },
    );
  }

  private track(key: string, result: Promise<unknown>, counted: Counted): Promise<void> {
    const running = this.running.get(key) ?? new Set();
    this.running.set(key, running);
    const settled = result
      .then(
        () => this.refund(key, counted),
        (error: unknown) => (isFailure(error) ? undefined : this.refund(key, counted)),
      )
      .finally(() => {
        running.delete(settled);
        if (running.size === 0) this.running.delete(key);
      });
    running.add(settled);
    return settled;
  }

  /** To the window that it was counted in: the next one has not been charged for it. */
  private async refund(key: string, { endsAt }: Counted): Promise<void> {
    if (Date.now() < endsAt - CLOCK_MS) await this.limiter.reward(key);
  }

  private refused({ msBeforeNext }: RateLimiterRes): RateLimited {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    return new RateLimited('Too many failed sign-ins. Please try again later.', {
      limit: this.limiter.points,
      remaining: 0,
      resetSeconds,
    });
  }
}

function isFailure(error: unknown): boolean {
  return error instanceof Unauthorized || error instanceof Forbidden;
}
