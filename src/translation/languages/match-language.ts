import { readLanguageTag } from './language-tag.js';
import type { LanguageTag } from './language-tag.js';

/** What LibreTranslate calls traditional Chinese and the Portuguese of Brazil. */
const OWN_CODES: ReadonlyMap<string, string> = new Map([
  ['zt', 'zh-Hant'],
  ['pb', 'pt-BR'],
]);
/** Norwegian is mostly Bokmål, and engines have either name for it. */
const EQUAL_LANGUAGES: ReadonlyMap<string, string> = new Map([['nb', 'no']]);

/**
 * Finds what an engine calls a language: the same tag, else the language without its region (`pt-BR` is served by `pt`),
 * else a variety of it (`pt` by `pt-BR`), always in the same script.
 * @param served the engine's own codes: BCP 47, with `_`, of three letters (`eng`), or LibreTranslate's `zt` and `pb`
 * @returns one of `served`, as it is written there; undefined where none fits
 */
export function matchLanguage(wanted: LanguageTag, served: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestRank = 0;
  for (const code of served) {
    const tag = readLanguageTag(OWN_CODES.get(code) ?? code.replaceAll('_', '-'));
    const rank = tag ? rankOf(wanted, tag) : 0;
    if (rank > bestRank) [best, bestRank] = [code, rank];
  }
  return best;
}

/** How well a served language fits; 0: not at all. */
function rankOf(wanted: LanguageTag, served: LanguageTag): number {
  if (wanted.tag === served.tag) return 4;
  if (toCommon(wanted.language) !== toCommon(served.language) || wanted.script !== served.script) return 0;
  if (wanted.region === served.region) return 3;
  if (served.region === undefined) return 2;
  return wanted.region === undefined ? 1 : 0;
}

function toCommon(language: string): string {
  return EQUAL_LANGUAGES.get(language) ?? language;
}
