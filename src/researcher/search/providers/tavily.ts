import { ProviderClient } from '../provider-client.js';
import { SearchFailure } from '../search-failure.js';
import type { ProviderQuery, SearchHit, SearchProvider } from '../search.types.js';
import { toHits } from '../to-hits.js';

/** The Tavily Search API: `POST /search`. It has one page alone. */
export class TavilyProvider implements SearchProvider {
  readonly name = 'tavily';
  readonly queryLimits = { characters: 400, words: 200 };
  readonly pageSize = 20;
  readonly isFree = false;
  private readonly client: ProviderClient;

  constructor(baseUrl: string, apiKey: string) {
    this.client = new ProviderClient(baseUrl, { authorization: `Bearer ${apiKey}` });
  }

  async search({ query, count, offset, signal }: ProviderQuery): Promise<SearchHit[]> {
    if (offset > 0) return [];
    const body = { query, max_results: count, search_depth: 'basic' };
    const { results } = await this.client.readJson({ method: 'POST', path: '/search', body, signal });
    if (!Array.isArray(results)) throw new SearchFailure('bad_answer');
    return toHits(results, ({ title, url, content, published_date: publishedAt }) => ({
      title,
      url,
      snippet: content,
      engine: this.name,
      publishedAt,
    }));
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
