import type { CallOwner } from '../../access/caller.js';
import type { CallContext } from '../../inference/domain.js';
import type { TranslationModel } from '../../inference/domain.js';
import type { MarkerCount } from '../protection/marker-count.js';
import type { GlossaryTerm } from '../protection/protected-unit.js';
import type { InlineText } from '../units/inline-text.js';
import type { RepairCount } from './repair-count.js';

/** How formally a translation addresses its reader. */
export type Formality = 'default' | 'more' | 'less';

/** What is wanted of a translation. */
export interface TranslationOptions {
  /** Of the units (BCP 47, as `parseLanguageTag` writes it). Absent: each unit's is detected. */
  readonly source?: string | undefined;
  readonly target: string;
  /** A chat model, a translation server's model, or `apertium`. Absent: the first that serves the pair and the options. */
  readonly model?: string | undefined;
  /** Default: `default`, which every engine has; the others, chat models alone. */
  readonly formality?: Formality | undefined;
  readonly glossary?: readonly GlossaryTerm[] | undefined;
  /** What helps to understand the units; it is not translated. Only chat models read it. */
  readonly context?: string | undefined;
  /** Of the document that the units are a part of; absent: they are counted by themselves. */
  readonly repairs?: RepairCount | undefined;
  /** Of the request that the units are a part of; absent: they are counted by themselves. */
  readonly markers?: MarkerCount | undefined;
}

/** A unit in the target language. */
export interface TranslatedUnit {
  /** Every mark of the unit, each once and paired as it was. The unit as it was where `warnings` say so. */
  readonly inline: InlineText;
  /** BCP 47; null where neither this server nor the engine could tell, or the source was given. */
  readonly detectedLanguage: string | null;
  /** Sentences for people, without the unit's text: why the unit is not as translated as it should be. */
  readonly warnings: readonly string[];
  /** What kind of engine was asked; null where none had to be. */
  readonly engine: TranslationModel['engine'] | null;
}

/** Tokens of calls, as the engines told them or as they were counted here. */
export interface TranslationUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Units in the target language, and what that took. */
export interface Translation {
  /** As many as there were, in their order. */
  readonly units: readonly TranslatedUnit[];
  /** The model that was chosen; null where nothing had to be asked. */
  readonly model: string | null;
  /** The one language of all units, as it was given or detected; null where they differ or none could tell. */
  readonly source: string | null;
  /** Tokens of all calls that were made, also of those whose answers failed the check. */
  readonly usage: TranslationUsage;
}

/** Told of a unit as soon as it is final; in any order, each once. @param index in the list of units */
export type UnitListener = (index: number, unit: TranslatedUnit) => void;

/** Translates units by whichever engine serves them. Nothing unchecked is answered. */
export interface Translator {
  /**
   * Tells before any unit is known whether there is a model for what is wanted.
   * @throws Conflict `capability_not_supported` that names the option, the pair or the model; NotFound `model_not_found`;
   * Conflict `model_not_allowed`; BadRequest of a malformed language
   */
  check(caller: CallOwner, options: TranslationOptions): Promise<void>;
  /**
   * Translates units. Engines are asked for batches of them, several at once; equal units are asked for once.
   * @param units in the order of the text, since neighbours tell what a unit means
   * @param context of the request or job that they are for; its signal ends every call
   * @throws Conflict `capability_not_supported` that names the option, the pair or the model; NotFound `model_not_found`;
   * Conflict `model_not_allowed`; BadRequest of `source_language` where no language could be detected, and
   * where there are too many markers; what the count of markers throws; as `Models.complete` does; the reason of the signal
   */
  translateUnits(
    caller: CallOwner,
    units: readonly InlineText[],
    options: TranslationOptions,
    context: CallContext,
    onUnit?: UnitListener,
  ): Promise<Translation>;
}
