/** How a sentence was made from its quote. The first is supported by it, all others are not. */
export type PairKind =
  | 'paraphrase'
  | 'number'
  | 'unit'
  | 'date'
  | 'name'
  | 'negation'
  | 'quantifier'
  | 'direction'
  | 'context'
  | 'roles'
  | 'word';

/** A quote, its language, and sentences about it, each with its kind. */
export interface LabelledQuote {
  readonly language: 'en' | 'de';
  readonly quote: string;
  readonly sentences: readonly (readonly [PairKind, string])[];
}
