import type { CallOwner } from '../../access/caller.js';
import type { CallContext } from '../../inference/domain.js';
import type { ReadPassage } from './passage-queries.js';
import type { SearchMode } from './search.types.js';

/** What is asked, by whom, and how. */
export interface Question {
  readonly query: string;
  readonly mode: SearchMode;
  /** How much each way to search finds. */
  readonly limit: number;
  readonly caller: CallOwner;
  readonly context: CallContext;
}

/** A passage that fits a query, the higher its score the better. */
export type RankedPassage = ReadPassage & { readonly score: number };
