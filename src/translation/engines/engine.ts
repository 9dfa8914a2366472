import type { TranslationModel } from '../../inference/domain.js';
import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkerNotation } from '../protection/marker-notation.js';
import type { TranslationUsage } from './translator.js';

/** A text for an engine, in the engine's notation. */
export interface EngineText {
  readonly text: string;
  /** What stands around it, for engines that read context. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** What is said about it, likewise. */
  readonly context?: string | undefined;
}

/** Texts for one call of an engine. */
export interface EngineBatch {
  readonly texts: readonly EngineText[];
  /** Undefined: the engine tells. */
  readonly source: LanguageTag | undefined;
  /** What was wrong with the last answer, for an engine that can be told. */
  readonly fault?: string | undefined;
}

/** What an engine made of a text. Nothing of it is checked. */
export interface EngineAnswer {
  readonly text: string;
  readonly detectedLanguage: string | null;
}

/** The answers of one call: one for each text, undefined where there is none. */
export interface EngineAnswers {
  readonly answers: readonly (EngineAnswer | undefined)[];
  /** Why answers are missing, where that is known: a sentence about the engine. */
  readonly reason?: string | undefined;
}

/** An engine, made for the calls of one translation. */
export interface Engine {
  readonly model: TranslationModel;
  readonly notation: MarkerNotation;
  /** Whether it is given the glossary itself, and keeps to it. */
  readonly keepsGlossary: boolean;
  /** Whether it can do better when it is told what was wrong. */
  readonly canRepair: boolean;
  /** Of one call. */
  readonly maxTexts: number;
  /** Of all texts of one call, and so of each, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Calls at once. */
  readonly concurrency: number;
  /** What its calls have used so far. */
  readonly usage: TranslationUsage;
  /**
   * Translates texts, in one call or, where they are too much for one, in several.
   * @throws as `Models.complete` does
   */
  translate(batch: EngineBatch): Promise<EngineAnswers>;
}
