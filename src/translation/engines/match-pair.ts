import type { TranslationTraits } from '../../inference/domain.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { matchLanguage } from '../languages/match-language.js';

/** Two languages as an engine calls them; source undefined: the engine tells it. */
export interface EnginePair {
  readonly source: string | undefined;
  readonly target: string;
}

/**
 * Finds what an engine calls a pair of languages.
 * @param source undefined: nobody knows it
 * @returns undefined where it does not serve the pair, or cannot tell the source
 */
export function matchPair(
  { pairs, detects }: TranslationTraits,
  source: LanguageTag | undefined,
  target: LanguageTag,
): EnginePair | undefined {
  if (!source) {
    const found = detects ? matchLanguage(target, pairs.targets()) : undefined;
    return found === undefined ? undefined : { source: undefined, target: found };
  }
  const from = matchLanguage(source, pairs.sources());
  const into = from === undefined ? undefined : matchLanguage(target, pairs.targetsOf(from));
  return from === undefined || into === undefined ? undefined : { source: from, target: into };
}
