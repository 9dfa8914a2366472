import type { EngineTranslation, TranslationRequest, TranslationTraits } from './engine.types.js';

/** A translation engine of this machine, which is a model of the builtin backend. */
export interface TranslationEngine {
  /** The public name of its model. */
  readonly id: string;
  /** Unix seconds since when it answers as it does. */
  readonly created: number;
  readonly translation: TranslationTraits;
  /** As `Backend.translate`. */
  translate(request: TranslationRequest, signal: AbortSignal, callerId: string): Promise<readonly EngineTranslation[]>;
  /** Ends what runs. */
  close(): Promise<void>;
}
