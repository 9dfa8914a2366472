import type { Meaning } from './concepts.js';
import type { ProofWord } from './proof-clause.js';

/** What is compared of a sentence or of what proves it: plain in lower case, and its words with content. */
export interface Operand {
  readonly lower: string;
  readonly content: readonly ProofWord[];
  has(meaning: Meaning): boolean;
}
