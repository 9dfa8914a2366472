import { BadUpstream, Conflict, Unavailable, UpstreamTimeout } from '../../errors.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import { FoundPages } from './found-pages.js';
import type { FoundPage } from './found-pages.js';
import { cutQuery } from './key-terms.js';
import type { ProviderHealth } from './provider-health.js';
import { SearchFailure } from './search-failure.js';
import type { SearchProvider } from './search.types.js';

/** Of one search, whatever it takes. */
const SEARCH_MS = 600_000;
/** Of one provider: where most of what it finds is known or not credible enough, more would not help. */
const MAX_PAGES = 8;
const RETRY_SECONDS = 10;

/** What is looked for. */
export interface WebQuery {
  readonly query: string;
  /** How many pages are wanted. */
  readonly maxResults: number;
  /** BCP 47; left out: any. */
  readonly language?: string;
  /** How credible hosts are, and how credible they have to be; left out: nothing is known. */
  readonly scores?: CredibilityScores;
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
   * @throws Conflict as `requireProvider`; where nothing was found BadUpstream, Unavailable where all providers say that
   * they are asked too often, UpstreamTimeout where they say nothing; UpstreamTimeout after 600 s; the reason of the signal
   */
  async search(query: WebQuery): Promise<readonly FoundPage[]> {
    this.requireProvider();
    const deadline = AbortSignal.timeout(this.parts.milliseconds ?? SEARCH_MS);
    const signal = AbortSignal.any([query.signal, deadline]);
    const found = new FoundPages(query.maxResults, query.scores);
    const failures: SearchFailure[] = [];
    for (const provider of this.parts.providers) {
      try {
        await this.readPages(provider, { ...query, signal }, found);
        return found.pages;
      } catch (error) {
        query.signal.throwIfAborted();
        if (deadline.aborted) throw new UpstreamTimeout('The search takes too long.');
        if (!(error instanceof SearchFailure)) throw error;
        failures.push(error);
      }
    }
    if (found.pages.length > 0) return found.pages;
    throw failureOf(failures);
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

/** The one error for how all providers have failed. */
function failureOf(failures: readonly SearchFailure[]): Error {
  const isAll = (reason: SearchFailure['reason']): boolean => failures.every((failure) => failure.reason === reason);
  if (isAll('timeout')) return new UpstreamTimeout('No search provider has answered in time.');
  if (isAll('rate_limited')) return new Unavailable('The search providers take no more questions now.', RETRY_SECONDS);
  return new BadUpstream('No search provider could answer.');
}
