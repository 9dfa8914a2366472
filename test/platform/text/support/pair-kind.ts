/** How a sentence was made from its passage. The first two are supported, all others are not. */
export type PairKind =
  | 'paraphrase'
  | 'two sentences'
  | 'changed number'
  | 'changed unit or date'
  | 'changed name'
  | 'changed negation'
  | 'far apart'
  | 'other language'
  | 'too short'
  | 'swapped roles'
  | 'changed word';
