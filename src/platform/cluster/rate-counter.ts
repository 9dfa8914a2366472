import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '../redis/redis.js';
import type { RateState } from './rate-state.js';

const WINDOW_SECONDS = 60;
/** Between two looks at the clock. */
const CLOCK_MS = 5;
/** Between what is known of a window here and what Redis says of it. */
const SLACK_MS = 500;

/**
 * Takes an amount off a counter, unless the window in which it was counted is over: then its key is gone, or is that of
 * the next window, which lasts longer than what was left of the first.
 */
const REFUND = `
  local left = redis.call('PTTL', KEYS[1])
  if left <= 0 or left > tonumber(ARGV[2]) then return 0 end
  redis.call('DECRBY', KEYS[1], ARGV[1])
  return 1`;

/** What several processes share in counting. */
export interface SharedCounting {
  /** Undefined: each process counts for itself. */
  readonly redis?: Redis;
  /** How many processes are alive. */
  readonly processes: () => number;
}

/** What a counter says of a subject after it was asked for something. */
interface CounterState extends RateState {
  readonly isRefused: boolean;
}

/** What was taken, and the way to give it back. */
export interface Consumption extends CounterState {
  /**
   * Gives it back, but for what is kept, to the window in which it was taken; once that is over nothing happens. The
   * first time counts. Never fails.
   * @param keep at least 0
   */
  refund(keep?: number): Promise<void>;
}

/** A change of a counter: how it stands, and where. */
interface CounterUpdate {
  readonly state: RateLimiterRes;
  readonly limit: number;
  readonly isShared: boolean;
  /** When its window ends, by this process's clock, at the earliest and at the latest. */
  readonly endsAt: { readonly earliest: number; readonly latest: number };
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
   * @param limit the most in a window, at least 1
   * @param windowSeconds how long a window is, at least 1
   */
  constructor(
    name: string,
    private readonly limit: number,
    private readonly sharing: SharedCounting,
    windowSeconds = WINDOW_SECONDS,
  ) {
    this.local = new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds });
    this.shared = sharing.redis?.createLimiter(name, limit, windowSeconds);
  }

  /**
   * Takes an amount, or nothing where that would be more than is left. What is larger than the whole limit takes all of
   * it, so that waiting as long as the answer says is always enough.
   */
  async take(subject: string, amount = 1): Promise<Consumption> {
    const taken = Math.min(amount, this.limit);
    const update = await this.count(subject, taken);
    const { state, limit } = update;
    const isRefused = state.consumedPoints > limit && !(state.consumedPoints === taken);
    const refund = this.buildRefund(subject, taken, update);
    if (isRefused) await refund();
    const remaining = isRefused ? 0 : Math.max(0, limit - state.consumedPoints);
    return { isRefused, limit, remaining, resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)), refund };
  }

  /** Adds what a call has used beyond what it took; it is never refused. */
  async add(subject: string, amount: number): Promise<void> {
    await this.count(subject, amount);
  }

  private buildRefund(subject: string, taken: number, { isShared, endsAt }: CounterUpdate): Consumption['refund'] {
    let isTaken = true;
    return async (keep = 0) => {
      const amount = taken - keep;
      const now = Date.now();
      if (!isTaken) return;
      isTaken = false;
      if (amount <= 0 || now >= endsAt.earliest - CLOCK_MS) return;
      if (isShared) await this.refundShared(subject, amount, endsAt.latest - now);
      else await this.local.reward(subject, amount);
    };
  }

  /** @param milliseconds how long the window lasts at most */
  private async refundShared(subject: string, amount: number, milliseconds: number): Promise<void> {
    try {
      const key = this.shared?.getKey(subject) as string;
      const longest = String(Math.ceil(milliseconds) + SLACK_MS);
      await this.sharing.redis?.run(REFUND, [key], [String(amount), longest]);
    } catch {
      // It was counted there and nowhere else: while Redis is away it stays counted.
    }
  }

  private async count(subject: string, amount: number): Promise<CounterUpdate> {
    const askedAt = Date.now();
    try {
      if (this.shared) return this.toUpdate(await this.shared.penalty(subject, amount), askedAt, true);
    } catch {
      // Redis tells the log, and the health, that it is away.
    }
    const countedAt = Date.now();
    return this.toUpdate(await this.local.penalty(subject, amount), countedAt, false);
  }

  private toUpdate(state: RateLimiterRes, askedAt: number, isShared: boolean): CounterUpdate {
    const isAlone = !this.shared || isShared;
    const limit = isAlone ? this.limit : Math.ceil(this.limit / Math.max(1, this.sharing.processes()));
    const { msBeforeNext } = state;
    return { state, limit, isShared, endsAt: { earliest: askedAt + msBeforeNext, latest: Date.now() + msBeforeNext } };
  }
}
