import type { CallContext } from '../calls/model-call.js';
import type { TranslationTraits } from './engine.types.js';

/** One call of a translation engine: texts in its own form, within its bounds (`TranslationTraits`). */
export interface TranslateCall {
  readonly area: 'translate';
  /** The public name. */
  readonly model: string;
  /** The kind of engine: models of several kinds may have one name, and each has a form of its own. */
  readonly engine: TranslationTraits['engine'];
  readonly texts: readonly string[];
  readonly source?: string | undefined;
  readonly target: string;
  /** Of the request or job that the call is made for, with the signal that ends it. */
  readonly context: CallContext;
}

/** A model that may translate: a translation engine, or a chat model that can be asked to. */
export interface TranslationModel {
  /** The public name. */
  readonly id: string;
  readonly engine: TranslationTraits['engine'] | 'chat';
  /** What it takes; null: a chat model, which may be asked for any pair. */
  readonly traits: TranslationTraits | null;
  /** Whether a backend of it answers. */
  readonly isHealthy: boolean;
  /** Calls that its backends take at once; undefined: as many as come. */
  readonly maxConcurrency: number | undefined;
}
