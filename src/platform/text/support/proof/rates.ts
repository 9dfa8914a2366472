import type { Statement } from '../statement.js';
import type { ProvenLanguage } from './concepts.js';

const BEFORE: ReadonlySet<string> = new Set(['before', 'prior', 'vor', 'bevor', 'vorher', 'zuvor']);
const AFTER: ReadonlySet<string> = new Set(['after', 'following', 'nach', 'nachdem', 'nachher', 'danach']);
const SIDES_OF_TIME = [
  [BEFORE, AFTER],
  [AFTER, BEFORE],
] as const;

/** What something is counted by, with the words for it: `a month`, `monthly`, `im ersten Quartal`. */
const PERIODS: Readonly<Record<ProvenLanguage, Readonly<Record<string, RegExp>>>> = {
  en: periods(
    {
      second: ['seconds?', ''],
      minute: ['minutes?', ''],
      hour: ['hours?', 'hourly'],
      day: ['days?', 'daily'],
      night: ['nights?', 'nightly'],
      week: ['weeks?', 'weekly'],
      month: ['months?', 'monthly'],
      quarter: ['quarters?', 'quarterly'],
      year: ['years?', 'yearly|annual|annually|per annum'],
    },
    String.raw`(?:an?|per|each|every|(?:in|of|for|during) (?:the|one) (?:first |second |third |fourth |last |whole |full )?) ?`,
    '(?! (?:ago|later|earlier|before|after|of|old|in which|when|that)| ?\\d)',
  ),
  de: periods(
    {
      second: ['sekunden?', ''],
      minute: ['minuten?', ''],
      hour: ['stunden?', String.raw`stündlich\p{L}*`],
      day: ['tage?s?', String.raw`täglich\p{L}*`],
      night: ['nacht|nächte', String.raw`nächtlich\p{L}*`],
      week: ['wochen?', String.raw`wöchentlich\p{L}*`],
      month: ['monate?s?', String.raw`monatlich\p{L}*`],
      quarter: ['quartale?s?', String.raw`vierteljährlich\p{L}*`],
      year: ['jahre?s?', String.raw`jährlich\p{L}*`],
    },
    String.raw`(?:pro|je|jede[nmrs]?|(?:im|am|in der|an einem|in einem|in einer)(?: ersten?| zweiten?| dritten?| vierten?| letzten?| ganzen?)?) `,
    '(?! (?:zuvor|später|danach|davor|nach|vor|des|der)| ?\\d)',
  ),
};
/** Before the common era. */
const BEFORE_ERA = String.raw`(?:b\. ?c\.(?: ?e\.)?|bce?|v\. ?chr|vor christus|v\. ?u\. ?z|vor unserer zeit)(?!\p{L})`;
const SAYS_BEFORE_ERA = new RegExp(String.raw`(?<!\p{L})${BEFORE_ERA}`, 'u');
const YEAR_BEFORE_ERA = new RegExp(
  String.raw`(?<year>\d+)(?:st|nd|rd|th|\.)?(?: century| centuries| millennium| jahrhunderts?| jh\.| jahrtausends?)?,? ${BEFORE_ERA}`,
  'gu',
);

/** Says whether one statement says before where the other says after. German `vor` and `nach` say other things too. */
export function isTurnedInTime(claim: Statement, source: Statement): boolean {
  return SIDES_OF_TIME.some(([side, other]) => {
    const has = ({ words }: Statement, set: ReadonlySet<string>): boolean => [...set].some((word) => words.has(word));
    return has(claim, side) && !has(source, side) && has(source, other);
  });
}

/** Says whether a sentence counts by a time that its source does not count by, though by another. Both are plain, in lower case. */
export function isOfOtherPeriod(claim: string, source: string, language: ProvenLanguage): boolean {
  const named = (text: string): string[] =>
    Object.entries(PERIODS[language]).flatMap(([period, written]) => (written.test(text) ? [period] : []));
  const claimed = named(claim);
  if (claimed.length === 0) return false;
  const given = new Set(named(source));
  return given.size > 0 && claimed.some((period) => !given.has(period));
}

/** Says whether a year before the common era is told as one of it, or the other way round. Both are plain, in lower case. */
export function isOfOtherEra(claim: string, source: string): boolean {
  if (SAYS_BEFORE_ERA.test(claim)) return !SAYS_BEFORE_ERA.test(source);
  return [...source.matchAll(YEAR_BEFORE_ERA)].some(({ groups: { year = '' } = {} }) =>
    new RegExp(String.raw`(?<!\d)${year}(?!\d)`, 'u').test(claim),
  );
}

function periods(
  words: Readonly<Record<string, readonly [noun: string, adverb: string]>>,
  before: string,
  behind: string,
): Record<string, RegExp> {
  const patterns = Object.entries(words).map(([period, [noun, adverb]]) => {
    const either = adverb === '' ? '' : String.raw`|(?:${adverb})`;
    return [
      period,
      new RegExp(String.raw`(?<!\p{L})(?:${before}(?:${noun})(?!\p{L})${behind}${either})(?!\p{L})`, 'u'),
    ];
  });
  return Object.fromEntries(patterns) as Record<string, RegExp>;
}
