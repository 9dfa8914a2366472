import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimited, rateHeaders } from '../errors.js';
import type { RateState } from '../errors.js';
import type { RequestContext } from '../context.js';
import { callerOf } from '../graph/access.js';
import type { Redis } from './redis.js';

const WINDOW_SECONDS = 60;

/** Limits how many model calls a user makes in a minute, over all of that user's tokens (CONTRACT, section 1). */
export class RequestLimiter {
  private readonly limiter: RateLimiterAbstract | undefined;

  /**
   * @param requestsPerMinute 0: no limit, and no headers
   * @param redis where it is given, all replicas share the limit
   */
  constructor(
    private readonly requestsPerMinute: number,
    redis?: Redis,
  ) {
    if (requestsPerMinute === 0) return;
    this.limiter = redis
      ? redis.createLimiter('requests', requestsPerMinute, WINDOW_SECONDS)
      : new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  }

  /**
   * Counts a call and puts the limit's headers on the reply.
   * @throws RateLimited; waiting as long as it says is enough
   */
  async count(context: RequestContext): Promise<void> {
    if (!this.limiter) return;
    const { userId } = callerOf(context);
    try {
      context.reply.setAll(rateHeaders(this.state(await this.limiter.consume(userId))));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new RateLimited('Too many requests. Please wait and try again.', this.state(error));
    }
  }

  private state(result: RateLimiterRes): RateState {
    return {
      limit: this.requestsPerMinute,
      remaining: result.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
    };
  }
}
