import type { JsonObject } from '../../../platform/json/json-object.js';
import { ProviderClient } from '../provider-client.js';
import { SearchFailure } from '../search-failure.js';
import type { ProviderQuery, SearchHit, SearchProvider } from '../search.types.js';
import { toHits } from '../to-hits.js';

/** A language as SearXNG writes it; it takes `all` for any. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
/** What chooses an engine or a language in the query, and an address that it would answer a redirect to. */
const COMMAND = /(?<=^|\s)[!:?]+(?=\S)/g;
const OTHER_THAN_WORDS = /[^\p{L}\p{M}\p{N}_]+/gu;
/** What full-text indexes take for their own in capitals. */
const OPERATOR = /\b(?:AND|OR|NOT|NEAR)\b/g;

/**
 * A SearXNG, or the older searx, by its JSON: `GET /search?q&format=json&pageno&language`. It has no count: a page is
 * what its engines give, ten hits or so of each.
 */
export class SearxngProvider implements SearchProvider {
  readonly name = 'searxng';
  readonly queryLimits = { characters: 1_000, words: 200 };
  readonly pageSize = 10;
  readonly isFree = true;
  private readonly client: ProviderClient;

  constructor(baseUrl: string) {
    this.client = new ProviderClient(baseUrl);
  }

  /**
   * Asks one page. Where its engines give nothing and some of them failed, they are asked once more in plain words where
   * the query has signs, since an engine over a full-text index fails at those.
   */
  async search(question: ProviderQuery): Promise<SearchHit[]> {
    const query = question.query.replaceAll(COMMAND, '');
    const answer = await this.ask(query, question);
    if (!isUnanswered(answer)) return hitsOf(answer);
    const plain = plainWords(query);
    const again = plain === '' || plain === query ? answer : await this.ask(plain, question);
    if (isUnanswered(again)) throw new SearchFailure('unresponsive_engines');
    return hitsOf(again);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async ask(query: string, { count, offset, language, signal }: ProviderQuery): Promise<JsonObject> {
    const parameters = new URLSearchParams({
      q: query,
      format: 'json',
      pageno: String(Math.floor(offset / count) + 1),
    });
    if (language !== undefined && LANGUAGE.test(language)) parameters.set('language', language);
    const answer = await this.client.readJson({ method: 'GET', path: `/search?${parameters}`, signal });
    if (!Array.isArray(answer.results)) throw new SearchFailure('bad_answer');
    return answer;
  }
}

/** It says 200 also where it has nothing because its engines failed, or are suspended. */
function isUnanswered({ results, unresponsive_engines: unresponsive }: JsonObject): boolean {
  return (results as unknown[]).length === 0 && Array.isArray(unresponsive) && unresponsive.length > 0;
}

function hitsOf({ results }: JsonObject): SearchHit[] {
  return toHits(results, ({ title, url, content, engine, publishedDate }) => ({
    title,
    url,
    snippet: content,
    engine: typeof engine === 'string' && engine !== '' ? engine : 'searxng',
    publishedAt: publishedDate,
  }));
}

function plainWords(query: string): string {
  return query
    .replaceAll(OPERATOR, (word) => word.toLowerCase())
    .replaceAll(OTHER_THAN_WORDS, ' ')
    .trim();
}
