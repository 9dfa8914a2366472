import type { QueryLimits } from './key-terms.js';

/** A page that a provider has found. What it says is the provider's word alone. */
export interface SearchHit {
  /** At most 300 characters without control characters, never empty. */
  readonly title: string;
  /** Of http or https, without userinfo, at most 2,048 UTF-16 units. */
  readonly url: string;
  /** At most 1,000 characters of plain text; may be empty. */
  readonly snippet: string;
  /** What has found it: the provider, or the engine that the provider names. */
  readonly engine: string;
  /** Null where the provider tells no date that can be read. */
  readonly publishedAt: Date | null;
}

/** What a provider is asked. */
export interface ProviderQuery {
  /** Within the limits of the provider, see `cutQuery`. */
  readonly query: string;
  /** How many hits are wanted: the page size of the provider, or less. One without such a setting gives what it has. */
  readonly count: number;
  /** How many hits to leave out: a multiple of `count`. */
  readonly offset: number;
  /** BCP 47; left out: any. */
  readonly language?: string;
  /** Ends the question; its reason is what is thrown. */
  readonly signal: AbortSignal;
}

/** What searches the web. */
export interface SearchProvider {
  /** In lower case, as health tells it. */
  readonly name: string;
  readonly queryLimits: QueryLimits;
  /** Hits of one question at most, or about so many. */
  readonly pageSize: number;
  /** Whether a question costs nothing, so that health may ask one. */
  readonly isFree: boolean;
  /**
   * Asks one question.
   * @returns the best first; none where there are no more
   * @throws SearchFailure where the provider cannot answer; the reason of the signal
   */
  search(query: ProviderQuery): Promise<SearchHit[]>;
  /** Ends its connections. */
  close(): Promise<void>;
}
