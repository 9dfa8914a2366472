import { LRUCache } from 'lru-cache';
import type { InlineText } from '../../units/inline-text.js';
import type { UnitOutcome } from './batch-draft.js';

/** UTF-16 units of what is remembered of a document, and of one of its texts. */
const MOST_CHARACTERS = 256 * 1024;
const LONGEST = 4_096;

/** What became of the last texts of a document, so that those which come again are not asked for again. */
export class KnownTexts {
  private readonly outcomes = new LRUCache<string, UnitOutcome>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ inline }, key) => key.length + JSON.stringify(inline).length,
    maxEntrySize: LONGEST,
  });

  get(unit: InlineText): UnitOutcome | undefined {
    return this.outcomes.get(JSON.stringify(unit));
  }

  add(unit: InlineText, { inline, warnings }: UnitOutcome): void {
    this.outcomes.set(JSON.stringify(unit), { inline, warnings });
  }
}
