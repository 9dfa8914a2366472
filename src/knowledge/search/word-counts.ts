import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CountedWord } from './keyword-ranking.js';

const MOST = 10_000;
const KEPT_MS = 10 * 60_000;

/**
 * In how many passages words are, as it was counted lately. Counting takes longer than all else of a search for words that
 * are in many passages, and these are asked for again and again.
 */
export class WordCounts {
  private readonly known = new LRUCache<string, CountedWord>({ max: MOST, ttl: KEPT_MS });

  /**
   * Gives the counts of words, in any order.
   * @param passages what is searched, as JSON of any length; another one when something else is, or when it has changed
   * @param count counts those that are not known
   */
  async of(
    passages: string,
    lexemes: readonly string[],
    count: (unknown: readonly string[]) => Promise<readonly CountedWord[]>,
  ): Promise<CountedWord[]> {
    const key = hash('sha256', passages, 'base64url');
    const known = lexemes.flatMap((lexeme) => this.known.get(`${key} ${lexeme}`) ?? []);
    const unknown = lexemes.filter((lexeme) => known.every((word) => word.lexeme !== lexeme));
    const counted = unknown.length === 0 ? [] : await count(unknown);
    for (const word of counted) this.known.set(`${key} ${word.lexeme}`, word);
    return [...known, ...counted];
  }
}
