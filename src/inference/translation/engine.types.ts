import type { LanguagePairs } from './language-pairs.js';

/** What a translation engine takes. */
export interface TranslationTraits {
  readonly engine: 'libretranslate' | 'apertium';
  /** Those that it is known to serve; empty before it has told. */
  readonly pairs: LanguagePairs;
  /** Whether it can tell the language of a text itself. */
  readonly detects: boolean;
  /** Texts of one call. */
  readonly maxTexts: number;
  /** Of all texts of one call, in UTF-16 units. */
  readonly maxCharacters: number;
}

/** What one engine is asked to translate. */
export interface TranslationRequest {
  /** The engine's own name of the model. */
  readonly model: string;
  readonly traits: TranslationTraits;
  /** In the engine's own form: HTML for `libretranslate`, for `apertium` that of its stream between the programs. */
  readonly texts: readonly string[];
  /** One of the engine's pairs; absent: the engine tells each text's language. */
  readonly source?: string | undefined;
  readonly target: string;
}

/** A text as an engine has translated it. Nothing of it is checked but its type and its length. */
export interface EngineTranslation {
  readonly text: string;
  /** What the engine took the text for, where it was not told. */
  readonly detectedLanguage: string | null;
}
