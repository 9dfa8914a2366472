import type { CallOwner } from '../../access/caller.js';
import { BadRequest, Conflict } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { CallContext, Models, TranslationModel, TranslationTraits } from '../../inference/domain.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { parseLanguageTag } from '../languages/language-tag.js';
import { matchLanguage } from '../languages/match-language.js';
import { matchPair } from './match-pair.js';
import type { TranslationOptions } from './translator.js';

/** What a model must serve. */
export interface TranslationNeed extends Pick<TranslationOptions, 'model' | 'formality' | 'context'> {
  /** The languages of the texts; undefined among them where that of some is not known; empty: no text is known yet. */
  readonly sources: readonly (LanguageTag | undefined)[];
  readonly target: LanguageTag;
}

/**
 * Chooses the model that translates: the named one, else the first that serves the languages and the options, one that
 * answers before one that does not.
 * @throws Conflict `capability_not_supported` that names what is not served; NotFound `model_not_found`; Conflict
 * `model_not_allowed`
 */
export async function chooseModel(
  models: Pick<Models, 'check' | 'translationModels'>,
  caller: CallOwner,
  need: TranslationNeed,
  { byok }: Pick<CallContext, 'byok'>,
): Promise<TranslationModel> {
  if (need.model !== undefined) return named(models, caller, need, need.model);
  const all = await models.translationModels(caller, byok);
  const served = all.filter((model) => servesLanguages(model, need));
  if (served.length === 0) throw unserved(need, all);
  const fitting = served.filter((model) => missingOption(model, need) === undefined);
  const model = fitting.find(({ isHealthy }) => isHealthy) ?? fitting[0];
  if (model) return model;
  const option = served.map((other) => missingOption(other, need)).find((missing) => missing !== undefined);
  throw new Conflict('capability_not_supported', `No model that serves the languages takes ${option}.`, option);
}

async function named(
  models: Pick<Models, 'check' | 'translationModels'>,
  caller: CallOwner,
  need: TranslationNeed,
  id: string,
): Promise<TranslationModel> {
  const isNamed = (model: TranslationModel): boolean => model.id === id;
  let found = (await models.translationModels(caller)).filter(isNamed);
  if (found.length === 0) {
    // It may be unknown, not allowed, or new.
    await models.check(caller, id, 'chat');
    found = (await models.translationModels(caller)).filter(isNamed);
  }
  const [first] = found;
  if (!first)
    throw new Conflict('capability_not_supported', `The model ${id.slice(0, 256)} does not translate.`, 'model');
  const model = found.find((one) => servesLanguages(one, need));
  if (!model) throw unserved(need, found, id);
  const option = missingOption(model, need);
  if (option === undefined) return model;
  throw new Conflict('capability_not_supported', `The model ${id} does not take ${option}.`, option);
}

function servesLanguages({ traits }: TranslationModel, { sources, target }: TranslationNeed): boolean {
  if (traits === null) return true;
  if (sources.length === 0) return servesTarget(traits, target);
  return sources.every((source) => matchPair(traits, source, target) !== undefined);
}

/** The option that only chat models have, where it is asked for. */
function missingOption({ engine }: TranslationModel, { formality, context }: TranslationNeed): string | undefined {
  if (engine === 'chat') return undefined;
  if (formality !== undefined && formality !== 'default') return 'formality';
  return context === undefined || context === '' ? undefined : 'context';
}

function unserved(
  { sources, target }: TranslationNeed,
  asked: readonly TranslationModel[],
  model?: string,
): PlatformError {
  if (sources.includes(undefined) && asked.some(({ traits }) => traits && servesTarget(traits, target))) {
    const message = 'The language of a text could not be detected. Say it in source_language.';
    return new BadRequest(message, 'source_language');
  }
  const from = sources.map((source) => source?.tag ?? 'an unknown language').join(', ') || 'any language';
  const who = model === undefined ? 'No model translates' : `The model ${model} does not translate`;
  return new Conflict('capability_not_supported', `${who} from ${from} into ${target.tag}.`, 'target_language');
}

function servesTarget({ pairs }: TranslationTraits, target: LanguageTag): boolean {
  return matchLanguage(target, new Set(pairs.map((pair) => pair.target))) !== undefined;
}

/** The tags of the options. @throws BadRequest that names the field */
export function tagsOf({ source, target }: Pick<TranslationOptions, 'source' | 'target'>) {
  return {
    source: source === undefined ? undefined : parseLanguageTag(source, 'source_language'),
    target: parseLanguageTag(target, 'target_language'),
  };
}
