import { BadUpstream, Conflict, RateLimited, Unavailable, UpstreamTimeout } from '../../errors.js';
import { FairSlots } from '../../platform/async/fair-slots.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import { FoundPages } from './found-pages.js';
import type { FoundPage } from './found-pages.js';
import { cutQuery } from './key-terms.js';
import { MAX_CONNECTIONS } from './provider-client.js';
import type { ProviderHealth } from './provider-health.js';
import { SearchFailure } from './search-failure.js';
import type { SearchProvider } from './search.types.js';

/** Of one search, whatever it takes. */
const SEARCH_MS = 600_000;
/** Of one provider: where most of what it finds is known or not credible enough, more would not help. */
const MAX_PAGES = 8;
const RETRY_SECONDS = 10;
/** Searches of one user that are asked at the same time, and that wait for that. */
const AT_ONCE_FOR_USER = MAX_CONNECTIONS / 4;
const WAITING_FOR_USER = 100;

/** What is looked for. */
export interface WebQuery {
  readonly query: string;
  /** How many pages are wanted. */
  readonly maxResults: number;
  /** BCP 47; left out: any. */
  readonly language?: string;
  /** How credible hosts are, and how credible they have to be; left out: nothing is known. */
  readonly scores?: CredibilityScores;
  /** The id of the user who searches: users have their turns. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

interface WebSearchParts {
  /** In the order in which they are asked. */
  readonly providers: readonly SearchProvider[];
  readonly health: ProviderHealth;
  /** Default: 600 s. */
  readonly milliseconds?: number;
}

/** Searches the web: each provider stands in for those before it. */
export class WebSearch {
  /** A search has one connection at a time: whoever has a place waits for none, and has all of a provider's seconds. */
  private readonly places = new FairSlots({
    slots: MAX_CONNECTIONS,
    perOwner: AT_ONCE_FOR_USER,
    waiting: WAITING_FOR_USER,
    refusal: tooMany,
  });

  constructor(private readonly parts: WebSearchParts) {}

  /** Whether the web can be searched. */
  get hasProvider(): boolean {
    return this.parts.providers.length > 0;
  }

  /** @throws Conflict `capability_not_supported` where no provider is configured */
  requireProvider(): void {
    if (this.hasProvider) return;
    throw new Conflict('capability_not_supported', 'No search provider is configured on this server.');
  }

  /**
   * The pages that a query finds: at most `maxResults`, each once, as its provider ranks them. Where a provider fails, the
   * next one goes on; what was found is answered also where none is left.
   * @throws Conflict as `requireProvider`; RateLimited where too many of the owner's wait; where nothing was found BadUpstream, Unavailable where all providers say that
   * they are asked too often, UpstreamTimeout where they say nothing; UpstreamTimeout after 600 s; the reason of the signal
   */
  async search(query: WebQuery): Promise<readonly FoundPage[]> {
    this.requireProvider();
    const deadline = AbortSignal.timeout(this.parts.milliseconds ?? SEARCH_MS);
    const signal = AbortSignal.any([query.signal, deadline]);
    using _ = await this.place(query.owner, signal, deadline);
    const found = new FoundPages(query.maxResults, query.scores);
    const failures: SearchFailure[] = [];
    for (const provider of this.parts.providers) {
      try {
        // A place may come at the moment at which it is too late.
        signal.throwIfAborted();
        await this.readPages(provider, { ...query, signal }, found);
        return found.pages;
      } catch (error) {
        query.signal.throwIfAborted();
        if (deadline.aborted) throw tooLong();
        if (!(error instanceof SearchFailure)) throw error;
        failures.push(error);
      }
    }
    if (found.pages.length > 0) return found.pages;
    throw failureOf(failures);
  }

  /** Waits for a place. @throws RateLimited; UpstreamTimeout where the deadline comes first; the reason of the signal */
  private async place(owner: string, signal: AbortSignal, deadline: AbortSignal): Promise<Disposable> {
    try {
      const release = await this.places.take(owner, signal);
      return { [Symbol.dispose]: release };
    } catch (error) {
      throw error === deadline.reason ? tooLong() : error;
    }
  }

  /** Asks for page after page until there are enough, or nothing new comes. */
  private async readPages(provider: SearchProvider, query: WebQuery, found: FoundPages): Promise<void> {
    const { pageSize: count, queryLimits } = provider;
    const { language, signal } = query;
    const question = { query: cutQuery(query.query, queryLimits), count, language, signal };
    for (let page = 0; page < MAX_PAGES && !found.isFull; page += 1) {
      const hits = await this.parts.health.watch(provider, () =>
        provider.search({ ...question, offset: page * count }),
      );
      if (found.add(hits) === 0) return;
    }
  }
}

function tooLong(): UpstreamTimeout {
  return new UpstreamTimeout('The search takes too long.');
}

/** The one error for how all providers have failed. */
function failureOf(failures: readonly SearchFailure[]): Error {
  const isAll = (reason: SearchFailure['reason']): boolean => failures.every((failure) => failure.reason === reason);
  if (isAll('timeout')) return new UpstreamTimeout('No search provider has answered in time.');
  if (isAll('rate_limited')) return new Unavailable('The search providers take no more questions now.', RETRY_SECONDS);
  return new BadUpstream('No search provider could answer.');
}

function tooMany(): RateLimited {
  const message = `At most ${WAITING_FOR_USER} of your searches may wait. Please wait for one of them.`;
  return new RateLimited(message, { limit: WAITING_FOR_USER, remaining: 0, resetSeconds: 1 });
}
