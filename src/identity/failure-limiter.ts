import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited, Unauthorized } from '../errors.js';

/**
 * Bounds the failed attempts on a key in a window of time. Each attempt is counted before it runs and given back
 * unless it fails, so that attempts at the same time cannot outrun the limit.
 */
export class FailureLimiter {
  private readonly limiter: RateLimiterMemory;
  private readonly running = new Map<string, Set<Promise<void>>>();

  /**
   * @param failures how many may fail in the window, which begins with the first of them
   * @param windowSeconds its length
   */
  constructor(
    private readonly failures: number,
    windowSeconds: number,
  ) {
    this.limiter = new RateLimiterMemory({ points: failures, duration: windowSeconds });
  }

  /**
   * Runs an attempt; only one that ends as Unauthorized counts.
   * @throws RateLimited without running it when too many have failed; waiting until its reset is enough
   */
  async attempt<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const refusal = await this.consume(key);
      if (!refusal) break;
      await this.limiter.reward(key);
      const running = this.running.get(key);
      if (!running) throw this.refused(refusal);
      // What still runs may yet succeed and give its place back.
      await Promise.race(running);
    }
    const result = run();
    await this.track(key, result);
    return result;
  }

  /** Answers the state of the key where the limit is reached. */
  private async consume(key: string): Promise<RateLimiterRes | undefined> {
    return this.limiter.consume(key).then(
      () => undefined,
      (refusal: RateLimiterRes) => refusal,
    );
  }

  private track(key: string, result: Promise<unknown>): Promise<void> {
    const running = this.running.get(key) ?? new Set();
    this.running.set(key, running);
    const settled = result
      .then(
        () => this.giveBack(key),
        (error: unknown) => (error instanceof Unauthorized ? undefined : this.giveBack(key)),
      )
      .finally(() => {
        running.delete(settled);
        if (running.size === 0) this.running.delete(key);
      });
    running.add(settled);
    return settled;
  }

  private async giveBack(key: string): Promise<void> {
    await this.limiter.reward(key);
  }

  private refused({ msBeforeNext }: RateLimiterRes): RateLimited {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    return new RateLimited('Too many failed sign-ins. Please try again later.', {
      limit: this.failures,
      remaining: 0,
      resetSeconds,
    });
  }
}
