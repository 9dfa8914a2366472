import { LRUCache } from 'lru-cache';
import type { Caller, CallOwner, TenantUser } from '../../access/caller.js';
import type { RequestLimiter } from '../../admission/operation-admission.js';
import type { Reply } from '../../admission/reply.js';
import { rateHeaders } from '../../admission/reply.js';
import { RateLimited } from '../../errors.js';
import { readAgainIfLost } from '../../platform/database/postgres-errors.js';
import type { TenantDirectory } from '../../identity/domain.js';
import { RateCounter } from '../../platform/cluster/rate-counter.js';
import type { SharedCounting, Consumption } from '../../platform/cluster/rate-counter.js';
import { StreamSlots } from '../../platform/cluster/stream-slots.js';
import type { MeteringConfig, RateLimits as Limits } from '../config.js';

/** How long a tenant's plan is taken to be the same. */
const PLAN_MS = 2_000;

/** The counters of one kind of subject: users, or the tenants of a plan. */
interface Counters {
  readonly requests?: RateCounter;
  readonly tokens?: RateCounter;
  readonly streams: number;
}

interface Subject {
  readonly id: string;
  readonly counters: Counters;
}

/** Tokens that a call has taken before it was made. */
export interface TakenTokens {
  /**
   * Gives back what the call has not used, to the minute in which it was taken; the first time counts. Never fails.
   * @param used tokens that stay counted
   */
  refund(used: number): Promise<void>;
}

interface RateLimitsParts {
  readonly config: Pick<
    MeteringConfig,
    'rateLimitRequestsPerMinute' | 'rateLimitTokensPerMinute' | 'rateLimitStreams' | 'rateLimitPlans'
  >;
  readonly sharing: SharedCounting;
  readonly processId: string;
  readonly tenants: Pick<TenantDirectory, 'planOf'>;
}

/**
 * How much a user, and a tenant by its plan, may ask for in a minute, and how many streams at once.
 * Users are counted over all of their tokens, and everybody over all replicas.
 */
export class RateLimitsService implements RequestLimiter {
  private readonly users: Counters;
  private readonly plans: Readonly<Record<string, Counters>>;
  private readonly slots: StreamSlots;
  private readonly limitsTokens: boolean;
  private readonly plansOfTenants = new LRUCache<string, string>({ max: 10_000, ttl: PLAN_MS });

  constructor(private readonly parts: RateLimitsParts) {
    const { config, sharing, processId } = parts;
    const userLimits = {
      requestsPerMinute: config.rateLimitRequestsPerMinute,
      tokensPerMinute: config.rateLimitTokensPerMinute,
      streams: config.rateLimitStreams,
    };
    this.users = countersOf('user', userLimits, sharing);
    this.plans = Object.fromEntries(
      Object.entries(config.rateLimitPlans).map(([plan, limits]) => [plan, countersOf(plan, limits, sharing)]),
    );
    this.slots = new StreamSlots(processId, sharing);
    this.limitsTokens = [this.users, ...Object.values(this.plans)].some(({ tokens }) => tokens);
  }

  /** How many requests a user has in a minute; 0: any number. */
  get requestsPerMinute(): number {
    return this.parts.config.rateLimitRequestsPerMinute;
  }

  async countRequest(caller: Caller, reply: Reply): Promise<(() => Promise<void>) | undefined> {
    const subjects = (await this.subjectsOf(caller)).filter(({ counters }) => counters.requests);
    const taken = await takeAll(subjects, 1, ({ requests }) => requests);
    if (taken.counts.length === 0) return undefined;
    const tightest = taken.counts.reduce((least, count) => (count.remaining < least.remaining ? count : least));
    reply.setAll(rateHeaders(tightest));
    if (taken.isRefused) throw new RateLimited('Too many requests. Please wait and try again.', tightest);
    return () => refundAll(taken.counts);
  }

  /**
   * Takes the tokens of a prompt, as far as they are known before the call.
   * @returns the way to give them back; undefined where no tokens are limited
   * @throws RateLimited
   */
  async takeTokens(caller: CallOwner, tokens: number): Promise<TakenTokens | undefined> {
    if (!this.limitsTokens) return undefined;
    const subjects = (await this.subjectsOf(caller)).filter(({ counters }) => counters.tokens);
    const { isRefused, counts } = await takeAll(subjects, Math.max(1, tokens), ({ tokens: counter }) => counter);
    if (!isRefused) return { refund: (used) => refundAll(counts, used) };
    const resetSeconds = Math.max(...counts.map((count) => count.resetSeconds));
    const state = { limit: this.requestsPerMinute, remaining: 0, resetSeconds };
    throw new RateLimited('Too many tokens in a minute. Please wait and try again.', state);
  }

  /** Adds the tokens that a call has used beyond those that it took; the next calls wait for them. */
  async addTokens(caller: CallOwner, tokens: number): Promise<void> {
    if (!this.limitsTokens || tokens <= 0) return;
    for (const { id, counters } of await this.subjectsOf(caller)) await counters.tokens?.add(id, tokens);
  }

  async openStream(owner: TenantUser): Promise<() => void> {
    const places: (() => void)[] = [];
    const close = (): void => places.forEach((place) => place());
    for (const { id, counters } of await this.subjectsOf(owner)) {
      if (counters.streams === 0) continue;
      const place = await this.slots.take(id, counters.streams);
      if (!place) {
        close();
        const message = `At most ${counters.streams} streams may be open at once. Please end one and try again.`;
        throw new RateLimited(message, { limit: counters.streams, remaining: 0, resetSeconds: 1 });
      }
      places.push(place);
    }
    return close;
  }

  private async subjectsOf({ userId, tenantId }: TenantUser): Promise<Subject[]> {
    const user = { id: userId, counters: this.users };
    if (Object.keys(this.plans).length === 0) return [user];
    const counters = this.plans[await this.planOf(tenantId)];
    return counters ? [{ id: tenantId, counters }, user] : [user];
  }

  private async planOf(tenantId: string): Promise<string> {
    const known = this.plansOfTenants.get(tenantId);
    if (known) return known;
    const plan = (await readAgainIfLost(() => this.parts.tenants.planOf(tenantId))) ?? 'free';
    this.plansOfTenants.set(tenantId, plan);
    return plan;
  }
}

function countersOf(name: string, limits: Limits, sharing: SharedCounting): Counters {
  const counter = (what: string, limit: number): RateCounter | undefined =>
    limit === 0 ? undefined : new RateCounter(`${what}:${name}`, limit, sharing);
  return {
    requests: counter('requests', limits.requestsPerMinute),
    tokens: counter('tokens', limits.tokensPerMinute),
    streams: limits.streams,
  };
}

type Which = (counters: Counters) => RateCounter | undefined;

/** Takes from all or from none. */
async function takeAll(
  subjects: readonly Subject[],
  amount: number,
  which: Which,
): Promise<{ readonly isRefused: boolean; readonly counts: readonly Consumption[] }> {
  const counts: Consumption[] = [];
  for (const { id, counters } of subjects) {
    const count = await which(counters)?.take(id, amount);
    if (!count) continue;
    if (count.isRefused) {
      await refundAll(counts);
      return { isRefused: true, counts: [count] };
    }
    counts.push(count);
  }
  return { isRefused: false, counts };
}

async function refundAll(counts: readonly Consumption[], keep = 0): Promise<void> {
  for (const count of counts) await count.refund(keep);
}
