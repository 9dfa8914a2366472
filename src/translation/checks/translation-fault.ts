/** What may be wrong with a translation. */
export type TranslationFaultCode =
  | 'empty'
  | 'marker_missing'
  | 'marker_repeated'
  | 'marker_unknown'
  | 'marker_misplaced'
  | 'markup_added'
  | 'numbers_changed'
  | 'too_short'
  | 'too_long'
  | 'cut'
  | 'structure_changed'
  | 'wrong_script'
  | 'copied'
  | 'repeated'
  | 'chatter'
  | 'glossary_ignored';

/** A fault of a translation, with a sentence in English that tells a model what to do about it. */
export interface TranslationFault {
  readonly code: TranslationFaultCode;
  readonly message: string;
}
