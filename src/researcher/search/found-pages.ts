import type { CredibilityScores } from '../credibility/credibility-scores.js';
import { canonicalUrl } from './canonical-url.js';
import type { SearchHit } from './search.types.js';

/** A page that a search has found. */
export interface FoundPage extends SearchHit {
  /** How credible its host is, 0 to 1; null where nobody has said that. */
  readonly credibility: number | null;
}

/** What a search has found so far: one of each page, and none that is less credible than is wanted. */
export class FoundPages {
  private readonly seen = new Set<string>();
  private readonly kept: FoundPage[] = [];

  /**
   * @param limit how many are kept
   * @param scores how credible hosts are; undefined: nothing is known of any
   */
  constructor(
    private readonly limit: number,
    private readonly scores: CredibilityScores | undefined,
  ) {}

  /** In the order in which they came. */
  get pages(): readonly FoundPage[] {
    return this.kept;
  }

  get isFull(): boolean {
    return this.kept.length >= this.limit;
  }

  /** Adds hits. @returns how many of them were not known yet, whether they are kept or not */
  add(hits: readonly SearchHit[]): number {
    const before = this.seen.size;
    for (const hit of hits) {
      const url = new URL(hit.url);
      const key = canonicalUrl(url);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const credibility = this.scores?.scoreOf(url.hostname) ?? null;
      if (this.isFull || (credibility !== null && credibility < (this.scores?.minScore ?? 0))) continue;
      this.kept.push({ ...hit, credibility });
    }
    return this.seen.size - before;
  }
}
