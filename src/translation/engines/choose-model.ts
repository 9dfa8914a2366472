import type { ByokKey, CallOwner } from '../../access/caller.js';
import { BadRequest, Conflict } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { CallContext, Models, TranslationModel, TranslationTraits } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
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
 * Chooses the model that translates: of those with the name, else of all, the first that serves the languages and the
 * options, one that answers before one that does not. Models of several kinds of engines may have one name.
 * @throws Conflict `capability_not_supported` that names what is not served; NotFound `model_not_found`; Conflict
 * `model_not_allowed`
 */
export async function chooseModel(
  models: Pick<Models, 'check' | 'translationModels'>,
  caller: CallOwner,
  need: TranslationNeed,
  { byok }: Pick<CallContext, 'byok'>,
): Promise<TranslationModel> {
  const { model: name } = need;
  const asked = await (name === undefined ? models.translationModels(caller, byok) : named(models, caller, name, byok));
  const serving = await new CooperativeYield().map(asked, (model) => servesLanguages(model, need));
  const served = asked.filter((_model, index) => serving[index]);
  if (served.length === 0) throw unserved(need, asked);
  const fitting = served.filter((model) => missingOption(model, need) === undefined);
  const model = fitting.find(({ isHealthy }) => isHealthy) ?? fitting[0];
  if (model) return model;
  const option = served.map((other) => missingOption(other, need)).find((missing) => missing !== undefined);
  const who = name === undefined ? 'No model that serves the languages takes' : `The model ${name} does not take`;
  throw new Conflict('capability_not_supported', `${who} ${option}.`, option);
}

/** Those of a name, at least one: where some take the caller's own key, these. */
async function named(
  models: Pick<Models, 'check' | 'translationModels'>,
  caller: CallOwner,
  name: string,
  byok: ByokKey | undefined,
): Promise<TranslationModel[]> {
  const find = async (key?: ByokKey): Promise<TranslationModel[]> =>
    (await models.translationModels(caller, key)).filter(({ id }) => id === name);
  let found = await find();
  if (found.length === 0) {
    // It may be unknown, not allowed, or new.
    await models.check(caller, name, 'chat');
    found = await find();
  }
  if (found.length === 0)
    throw new Conflict('capability_not_supported', `The model ${name.slice(0, 256)} does not translate.`, 'model');
  // Where none takes one, the call says so.
  const keyed = byok ? await find(byok) : [];
  return keyed.length > 0 ? keyed : found;
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

function unserved({ sources, target, model }: TranslationNeed, asked: readonly TranslationModel[]): PlatformError {
  if (sources.includes(undefined) && asked.some(({ traits }) => traits && servesTarget(traits, target))) {
    const message = 'The language of a text could not be detected. Say it in source_language.';
    return new BadRequest(message, 'source_language');
  }
  const from = sources.map((source) => source?.tag ?? 'an unknown language').join(', ') || 'any language';
  const who = model === undefined ? 'No model translates' : `The model ${model} does not translate`;
  return new Conflict('capability_not_supported', `${who} from ${from} into ${target.tag}.`, 'target_language');
}

function servesTarget({ pairs }: TranslationTraits, target: LanguageTag): boolean {
  return matchLanguage(target, pairs.targets()) !== undefined;
}

/** The tags of the options. @throws BadRequest that names the field */
export function tagsOf({ source, target }: Pick<TranslationOptions, 'source' | 'target'>) {
  return {
    source: source === undefined ? undefined : parseLanguageTag(source, 'source_language'),
    target: parseLanguageTag(target, 'target_language'),
  };
}
