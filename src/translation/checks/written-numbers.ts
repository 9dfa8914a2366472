import { toNumberWord } from '../../platform/text/support/number-words.js';
import { toMonth } from '../../platform/text/months.js';
import { hasNumberStems, toStemNumber } from './number-stems.js';
import { scaleOf } from './number-scales.js';
import type { TextNumber } from './numbers-in.js';

/** Up to this one number of a text may be a word, in languages whose words are not known here. */
const MOST_UNKNOWN = 12;
/** The languages whose months have names here. */
const MONTH_LANGUAGES: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']);
const WORD = /\p{L}+/gu;
/** With the endings of ordinals in French; `I` alone is a word of English. */
const ROMAN =
  /(?<![\p{L}\p{N}])(?!I(?!I|V|X))(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})(?=(?:er|re|e|è|ème|es)?(?![\p{L}\p{N}]))/gu;
const ROMAN_VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
const HAN_NUMBER = /[〇零一二两兩三四五六七八九十]{1,3}/gu;
const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_LANGUAGES: ReadonlySet<string> = new Set(['zh', 'ja', 'yue']);
/** Parts of one, in the languages whose numbers are known. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [
    /(?<!\p{L})(?:half|halves|halb(?:e[nrsm]?)?|hälfte|demie?s?|moitié|medi[oa]s?|mitad|mezz[oaie]|metà|mei[oa]s?|metade|halve|helft)(?!\p{L})|半|반/giu,
    '0.5',
  ],
  [
    /(?<!\p{L})(?:three[ -]quarters?|drei ?viertel|trois[ -]quarts|tres cuartos|tre quarti|três quartos|driekwart)(?!\p{L})/giu,
    '0.75',
  ],
  [/(?<!\p{L})(?:quarter|fourth|viertel|quart|cuarto|cuarta|quarto|quarta|kwart)(?!\p{L})/giu, '0.25'],
];
const FOLLOWED_SCALE = 2;

/** The numbers that a text has as words, as names of months, or in Roman numerals. Each stands for one number. */
export class WrittenNumbers {
  private readonly words = new Map<string, number>();
  private readonly romans = new Map<string, number>();
  private readonly months = new Map<string, number>();
  private readonly isKnown: boolean;
  private readonly hasMonths: boolean;
  private isExcused = false;

  /** Takes time in proportion to the text. */
  constructor(text: string, language: string | undefined) {
    this.isKnown = language !== undefined && (HAN_LANGUAGES.has(language) || hasNumberStems(language));
    this.hasMonths = language !== undefined && MONTH_LANGUAGES.has(language);
    for (const [roman] of text.matchAll(ROMAN)) count(this.romans, String(fromRoman(roman)));
    for (const [part, value] of PARTS) for (const _ of text.matchAll(part)) count(this.words, value);
    if (language !== undefined && HAN_LANGUAGES.has(language)) {
      for (const [number] of text.matchAll(HAN_NUMBER)) count(this.words, String(fromHan(number)));
    }
    this.readWords(text.toLowerCase().match(WORD) ?? [], language ?? '');
  }

  /**
   * Whether a number of the other text is here.
   * @param unmatched how many numbers of this text have no counterpart either: then it is changed, not written out
   */
  take({ readings, isOfDate }: TextNumber, unmatched: number): boolean {
    if (readings.some((reading) => take(this.words, reading) || take(this.romans, reading))) return true;
    if (isOfDate && readings.some((reading) => take(this.months, reading))) return true;
    if ((this.isKnown && (this.hasMonths || !isOfDate)) || this.isExcused || unmatched > 0) return false;
    this.isExcused = readings.some((reading) => /^\d{1,2}$/.test(reading) && Number(reading) <= MOST_UNKNOWN);
    return this.isExcused;
  }

  private readWords(words: readonly string[], language: string): void {
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? '';
      const month = toMonth(word);
      if (month !== undefined) count(this.months, String(month));
      const value = toNumberWord(word, language)?.value ?? toStemNumber(word, language);
      const own = scaleOf(word, language);
      if (value === undefined && own === undefined) continue;
      let power = own ?? 0;
      for (let next = at + 1; next <= at + FOLLOWED_SCALE; next += 1) {
        const scale = scaleOf(words[next] ?? '', language);
        if (scale === undefined) break;
        power += scale;
        at = next;
      }
      count(this.words, `${value ?? '1'}${'0'.repeat(power)}`);
    }
  }
}

function count(values: Map<string, number>, value: string): void {
  values.set(value, (values.get(value) ?? 0) + 1);
}

function take(values: Map<string, number>, value: string): boolean {
  const left = values.get(value) ?? 0;
  if (left > 0) values.set(value, left - 1);
  return left > 0;
}

function fromRoman(roman: string): number {
  return Array.from(roman).reduce((sum, letter, index) => {
    const [value = 0, next = 0] = [ROMAN_VALUES[letter], ROMAN_VALUES[roman.charAt(index + 1)]];
    return value < next ? sum - value : sum + value;
  }, 0);
}

/** Up to 99. */
function fromHan(number: string): number {
  const digits = number.replaceAll('零', '〇').replaceAll(/[两兩]/g, '二');
  const [tens = '', ones = ''] = digits.includes('十') ? digits.split('十') : ['〇', digits];
  const ten = tens === '' ? 1 : HAN_DIGITS.indexOf(tens);
  return Array.from(ones).reduce((sum, digit) => sum * 10 + Math.max(0, HAN_DIGITS.indexOf(digit)), 0) + ten * 10;
}
