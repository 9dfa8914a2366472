import { readWords } from '../words.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';

/** What a sentence ends with that says how something is. */
const PREDICATE: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:is|are|was|were|remains?|stays?) (?:\p{L}+ly )?(?<how>[\p{L}-]{3,})\.?$/u,
  de: /(?<!\p{L})(?:ist|sind|war|waren|bleibt|bleiben) (?<how>\p{L}{3,})\.?$/u,
};
/** Something that has happened, rather than is so. */
const HAPPENED: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!^(?:allow|permitt|approv|licens|authori[sz]|forbidd|bann|prohibit))(?:ed|en|t)$/u,
  de: /^(?:(?!zugelassen|geeignet|geöffnet|gesperrt|gestattet|genehmigt)\p{L}*ge\p{L}+(?:t|en)|\p{L}+iert)$/u,
};
/** It is open, which ends like what has happened. */
const STATES: ReadonlySet<string> = new Set([
  'open',
  'dormant',
  'pregnant',
  'silent',
  'resistant',
  'wet',
  'hot',
  'vacant',
]);
const BOUND: Readonly<Record<ProvenLanguage, string>> = {
  en: '(?:in|for|from|after|during|on|under|with|without|at|until|below|above|up to|within|between|to|when|while|if|once)',
  de: '(?:in|im|am|an|auf|für|von|vom|ab|nach|bei|beim|mit|ohne|unter|während|zwischen|bis)',
};
const LONGEST_BOUND = 80;

/** Says whether a sentence ends with how something is, where its source says in what bounds: `safe` for `safe in small doses`. */
export function leavesBoundOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const { language } = concepts;
  const how = PREDICATE[language].exec(claim.lower)?.groups?.['how'] ?? '';
  if (how === '' || (HAPPENED[language].test(how) && !STATES.has(how))) return false;
  const bound =
    language === 'en'
      ? String.raw`(?:is|are|was|were|remains?|stays?) (?:\p{L}+ly )?${how} (?<bound>${BOUND.en} [^,;:.]{1,${LONGEST_BOUND}})`
      : String.raw`(?:ist|sind|war|waren|bleibt|bleiben) (?:\p{L}+ ){0,2}?(?<bound>${BOUND.de} [^,;:.]{1,${LONGEST_BOUND}}) ${how}`;
  const found = new RegExp(String.raw`(?<!\p{L})${bound}(?!\p{L})`, 'u').exec(source.lower)?.groups?.['bound'];
  if (found === undefined) return false;
  const words = readWords(found, language).filter(({ lower }) => !concepts.words.isStopWord(lower));
  return words.length > 0 && !words.some(({ lower }) => claim.has(concepts.meaningOf(lower)));
}
