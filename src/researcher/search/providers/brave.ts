import { decodeHTML } from 'entities';
import { isJsonObject } from '../../../platform/json/json-object.js';
import { ProviderClient } from '../provider-client.js';
import { SearchFailure } from '../search-failure.js';
import type { ProviderQuery, SearchHit, SearchProvider } from '../search.types.js';
import { toHits } from '../to-hits.js';

/** Pages behind the first that it gives. */
const MAX_OFFSET = 9;
/** It marks the words that were looked for. */
const MARK = /<\/?strong>/gi;
/** As much as can be kept of it, and more. */
const MAX_MARKED = 10_000;

/** The Brave Search API: `GET /res/v1/web/search?q&count&offset`; it counts its offset in pages, and is asked in any language. */
export class BraveProvider implements SearchProvider {
  readonly name = 'brave';
  readonly queryLimits = { characters: 400, words: 50 };
  readonly pageSize = 20;
  readonly isFree = false;
  private readonly client: ProviderClient;

  constructor(baseUrl: string, apiKey: string) {
    this.client = new ProviderClient(baseUrl, { 'x-subscription-token': apiKey });
  }

  async search({ query, count, offset, signal }: ProviderQuery): Promise<SearchHit[]> {
    const page = Math.floor(offset / count);
    if (page > MAX_OFFSET) return [];
    const parameters = new URLSearchParams({ q: query, count: String(count), offset: String(page) });
    const answer = await this.client.readJson({ method: 'GET', path: `/res/v1/web/search?${parameters}`, signal });
    // Without any result there is no member `web`.
    const web = answer.web ?? {};
    if (!isJsonObject(web)) throw new SearchFailure('bad_answer');
    return toHits(web.results, ({ title, url, description, page_age: age }) => ({
      title: unmarked(title),
      url,
      snippet: unmarked(description),
      engine: this.name,
      publishedAt: age,
    }));
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function unmarked(text: unknown): unknown {
  return typeof text === 'string' ? decodeHTML(text.slice(0, MAX_MARKED).replaceAll(MARK, '')) : text;
}
