import { toNumberWord } from '../../../platform/text/support/number-words.js';
import { plainLetters } from './plain-letters.js';

/** In what a time is counted. */
export type TimeUnit = 'day' | 'week' | 'month' | 'year';

/** A number of days, weeks, months or years. */
export interface FoundDuration {
  readonly start: number;
  readonly end: number;
  /** In the unit that was asked for. */
  readonly known: number;
}

const UNITS: Readonly<Record<TimeUnit, string>> = {
  day: 'days?|tage?n?|jours?|dias?',
  week: 'weeks?|wochen?|semaines?|semanas?',
  month: 'months?|monate?n?|mois|mes(?:es)?',
  year: 'years?|jahre?n?|ans?|annees?|anos?',
};
const NAMES = Object.entries(UNITS) as [TimeUnit, string][];
const DURATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(?:(?<number>\d{1,4})|(?<word>\p{L}{2,20}))(?: ?\((?<inner>\d{1,4})\))?(?: |-)(?:(?:calendar|business|kalender|full|volle) )?(?:${NAMES.map(([unit, names]) => `(?<${unit}>${names})`).join('|')})(?!\p{L})`,
  'gu',
);
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

/** How many of one unit another one is; those that are not a whole number are not told. */
const FACTORS: Readonly<Record<string, number>> = { 'year>month': 12, 'week>day': 7, 'year>day': 365, 'month>day': 30 };

/** The unit that the words of a field ask for, as `term months` does. */
export function unitOfName(words: string): TimeUnit | undefined {
  const plain = plainLetters(words);
  return NAMES.find(([, names]) => new RegExp(String.raw`(?<!\p{L})(?:${names})(?!\p{L})`, 'u').test(plain))?.[0];
}

/** Finds times of a text, in figures or words. @param unit what they are to be counted in; undefined: as they stand */
export function findDurations(text: string, unit: TimeUnit | undefined): FoundDuration[] {
  return [...plainLetters(text).replaceAll('\n', ' ').matchAll(DURATION)].flatMap(
    ({ 0: found, index, groups = {} }) => {
      const own = NAMES.find(([name]) => groups[name] !== undefined)?.[0] as TimeUnit;
      const factor = unit === undefined || unit === own ? 1 : FACTORS[`${own}>${unit}`];
      const digits = groups['number'] ?? groups['inner'];
      const count =
        digits === undefined ? toCount(text.slice(index, index + (groups['word'] ?? '').length)) : Number(digits);
      if (count === undefined || factor === undefined) return [];
      return [{ start: index, end: index + found.length, known: count * factor }];
    },
  );
}

function toCount(word: string): number | undefined {
  for (const language of LANGUAGES) {
    const found = toNumberWord(word.toLowerCase(), language);
    if (found) return Number(found.value);
  }
  return undefined;
}
