import { toPlainCharacter } from '../../platform/text/normalization/character-map.js';
import { readDecimal } from '../../platform/text/support/decimals.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { decimalSignOf } from './decimal-sign.js';
import { findMinusWord, isMinusLanguage } from './minus-words.js';
import { isScaleLanguage, scaleAhead, startsWithDozen } from './number-scales.js';

/** A number of a text, and all that it may stand for. */
export interface TextNumber {
  /** As it is written, with digits of ASCII. */
  readonly written: string;
  readonly readings: readonly string[];
  /** Whether it stands where a date has its month. */
  readonly isOfDate: boolean;
}

/** How the numbers of a text are read. */
export interface NumberReading {
  readonly language: LanguageTag | undefined;
  /** Of the text that it is compared with. */
  readonly otherLanguage: LanguageTag | undefined;
  /** Whether `1/2` is a half, as where one of the texts has `½`. */
  readonly hasFractions: boolean;
  /** Whether one of the texts has hours of half a day. */
  readonly hasHalfDays: boolean;
}

const FOREIGN = /[^\0-\u007f]/u;
const FOREIGN_SIGN = /(?![0-9])\p{Nd}|[\u066b\u066c\uff0c\uff0e\u00a0\u2009\u202f\u2007’\u2212\u2013\uff0d\u2236]/gu;
const SIGNS: Readonly<Record<string, string>> = {
  '\u066b': '.',
  '\u066c': ',',
  '\uff0c': ',',
  '\uff0e': '.',
  '’': "'",
  '\u00a0': ' ',
  '\u2007': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u2212': '-',
  '\u2013': '-',
  '\uff0d': '-',
  '\u2236': ':',
};
const NUMBER = /(?<!\d)\d{1,3}(?: \d{3}){1,6}(?![\d])(?:[.,]\d+)?|\d+(?:[.,':]\d+)*(?:h\d{2}(?!\d))?/g;
const FRACTION = /(?<![\d/.,])(?:(\d{1,4}) ?)?(½|¼|¾)|(?<![\d/.,])(?:(\d{1,4}) )?(1\/2|1\/4|3\/4)(?![\d/.,]\d|\d)/g;
const FRACTIONS: Readonly<Record<string, string>> = {
  '½': '5',
  '¼': '25',
  '¾': '75',
  '1/2': '5',
  '1/4': '25',
  '3/4': '75',
};
const DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/;
const CLOCK = /^(\d{1,2})[:.h](\d{2})$/;
const AFTERNOON = /^\s?p\.?\s?m\b/i;
const MORNING = /^\s?a\.?\s?m\b/i;
/** Where `am` is a word, the sign of mornings has its full stops. */
const MORNING_WITH_STOPS = /^\s?a\.\s?m\b/i;
const AM_IS_A_WORD: ReadonlySet<string> = new Set(['de', 'ro', 'lb', 'gsw', 'bar', 'nds', 'ga', 'gd', 'vi']);
const MINUS = /(?:^|[\s(["'`«„“‘:=,;])-$/;
/** A month stands before a year or a day, or says itself that it is one. */
const MONTH_BEFORE = /\d[/-]$|\d\. ?$|tháng $|月$/;
const MONTH_AFTER = /^\s?[月월]|^[/-]\d|^\. ?\d/;
const LOOKED_AT = 40;
const LOOKED_BACK = 24;

/** The numbers of a text in order, in time in proportion to it. */
export function numbersIn(text: string, reading: NumberReading): TextNumber[] {
  let plain = FOREIGN.test(text) ? text.replaceAll(FOREIGN_SIGN, toSign) : text;
  if (reading.hasFractions) plain = plain.replaceAll(FRACTION, toDecimals);
  const sign = decimalSignOf(reading.language);
  return Array.from(plain.matchAll(NUMBER)).flatMap(({ 0: written, index }) => {
    const end = index + written.length;
    const before = plain.slice(Math.max(0, index - LOOKED_BACK), index);
    const after = plain.slice(end, end + LOOKED_AT);
    const date = DATE.exec(written);
    if (date) return date.slice(1).map((part) => ({ written: part, readings: readDecimal(part), isOfDate: true }));
    return [
      {
        written,
        readings: [...readingsOf(written, [before, after], sign, reading)],
        isOfDate: MONTH_BEFORE.test(before) || MONTH_AFTER.test(after),
      },
    ];
  });
}

function toSign(character: string): string {
  return SIGNS[character] ?? toPlainCharacter(character.codePointAt(0) ?? 0) ?? character;
}

function toDecimals(_: string, whole = '', sign = '', otherWhole = '', otherSign = ''): string {
  return ` ${whole || otherWhole || '0'}.${FRACTIONS[sign || otherSign] ?? ''} `;
}

function readingsOf(
  written: string,
  [before, after]: readonly [string, string],
  decimalSign: string | undefined,
  { language, otherLanguage, hasHalfDays }: NumberReading,
): ReadonlySet<string> {
  const readings = new Set<string>();
  const minusWord = findMinusWord(before, after);
  const isNegative =
    MINUS.test(before.slice(-2)) || (minusWord === 'certain' && isMinusLanguage(otherLanguage?.language));
  const signed = isNegative ? `-${written}` : written;
  const scale = scaleAhead(after, language?.language);
  if (scale) {
    for (const reading of decimalsOf(signed, decimalSign, scale.power)) readings.add(reading);
    // Where the words of one of the languages are not known the other may say it in words that nobody reads here.
    if (scale.isCertain && isScaleLanguage(otherLanguage?.language)) return readings;
  }
  if (startsWithDozen(after) && /^\d{1,6}$/.test(written)) {
    readings.add(String(Number(signed) * 12));
    if (isScaleLanguage(language?.language) && isScaleLanguage(otherLanguage?.language)) return readings;
  }
  const clock = CLOCK.exec(written);
  const isMorning = (AM_IS_A_WORD.has(language?.language ?? '') ? MORNING_WITH_STOPS : MORNING).test(after);
  const isOfHalfDay = Number(clock?.[1] ?? written) <= 12 && (isMorning || AFTERNOON.test(after));
  if (isOfHalfDay && (clock || /^\d{1,2}$/.test(written))) {
    addHour(readings, Number(clock?.[1] ?? written), clock?.[2] ?? '', AFTERNOON.test(after));
    return readings;
  }
  const decimals = decimalsOf(signed, decimalSign);
  for (const reading of decimals) readings.add(reading);
  // As it is written it may stay, whatever it says in the other language.
  if (decimals.length > 0 && readDecimal(written).length > 1) readings.add(`=${signed}`);
  if (minusWord !== undefined) for (const reading of decimalsOf(`-${written}`, decimalSign)) readings.add(reading);
  if (clock) addTime(readings, Number(clock[1]), clock[2] ?? '');
  if (hasHalfDays && (clock || /^\d{1,2}$/.test(written))) {
    const time = toTime(Number(clock?.[1] ?? written), clock?.[2] ?? '');
    readings.add(`am ${time}`).add(`pm ${time}`);
  }
  // 10:30 and 1.2.3 are no numbers, but must be there all the same.
  return readings.size === 0 ? readings.add(written) : readings;
}

/** What a number may stand for by its language, or in any where the language does not tell. */
function decimalsOf(written: string, decimalSign: string | undefined, power = 0): readonly string[] {
  const readings = readDecimal(written, power);
  if (decimalSign === undefined || readings.length < 2) return readings;
  // The first is that of groups of thousands.
  return [written.includes(decimalSign) ? readings[1] : readings[0]].filter((reading) => reading !== undefined);
}

/** A time of day on a clock of 24 hours. */
function addTime(readings: Set<string>, hour: number, minutes: string): void {
  readings.add(toTime(hour, minutes));
  if (minutes === '00') readings.add(String(hour));
}

/** An hour of half a day, and the one of the whole day that it is. */
function addHour(readings: Set<string>, hour: number, minutes: string, isAfternoon: boolean): void {
  const half = isAfternoon ? 'pm' : 'am';
  readings.add(`${half} ${toTime(hour, minutes)}`);
  if (minutes === '00') readings.add(`${half} ${hour}`);
  const ofDay = isAfternoon ? (hour < 12 ? hour + 12 : hour) : hour % 12;
  addTime(readings, ofDay, minutes);
  if (!isAfternoon && hour === 12) addTime(readings, 24, minutes);
}

function toTime(hour: number, minutes: string): string {
  return minutes === '' ? String(hour) : `${hour}:${minutes}`;
}
