import { readDecimal } from './decimals.js';
import { MONTH_NAMES, toMonth } from '../months.js';
import { toNumberWord } from './number-words.js';
import type { TextSpan } from '../text-span.js';
import { toScale, toUnit } from './units.js';

/** A number or a date of a text. */
export interface Figure {
  /** All that it may stand for: `1234.5`, or `2024-5-3` with `?` for what a date does not say. */
  readonly readings: readonly string[];
  readonly kind: 'number' | 'date';
  /** The unit beside it, in its one spelling; '' where there is none. */
  readonly unit: string;
  /** Whether it is surely one: `one` and `a` may be 1, and `one of them` is not. */
  readonly isCertain: boolean;
}

/** A figure and where it stands in its text, in UTF-16 units. */
export interface PlacedFigure extends TextSpan {
  readonly figure: Figure;
}

const DAY = String.raw`\d{1,2}(?!\d)(?:\.|st\b|nd\b|rd\b|th\b|er\b|º|ª)?`;
const MONTH = String.raw`(?:${MONTH_NAMES})(?![\p{L}\p{N}])\.?`;
const YEAR = String.raw`\d{4}(?![\d.,]\d|\d)`;
const OF = String.raw`(?:of|de|di|del|,)`;
/** Scripts without spaces, where a unit is a character that other words follow. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}`;
const SCANNED = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}.,])(?<iso>\d{4}-\d{1,2}-\d{1,2})(?!\d)`,
    String.raw`(?<![\p{L}\p{N}.,])(?<numeric>\d{1,2}(?:\.\d{1,2}\.|\/\d{1,2}\/|-\d{1,2}-)(?:\d{4}|\d{2}))(?![\d.]\d|\d)`,
    String.raw`(?<![\p{L}\p{N}.,])(?<day>${DAY}) ?(?:${OF} )?(?<dayMonth>${MONTH})(?:,? ?(?:${OF} )?(?<dayYear>${YEAR}))?`,
    String.raw`(?<![\p{L}\p{N}])(?<month>${MONTH}) (?<monthDay>${DAY})(?![.,:]\d|\d)(?:,? (?<monthYear>${YEAR}))?`,
    String.raw`(?<![\p{L}\p{N}])(?<onlyMonth>${MONTH}),? ?(?:${OF} )?(?<onlyYear>${YEAR})`,
    String.raw`(?:(?<![\p{L}\p{N}])|(?<=[${UNSPACED}]))(?<number>(?:(?<![\p{N}%)])[-+])?(?:\d{1,3}(?: \d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,':]\d+)*))(?<suffix>(?![${UNSPACED}])[\p{L}°%€$£¥][\p{L}\d/]{0,20})?`,
    String.raw`[${UNSPACED}]+|(?<word>\p{L}[\p{L}\p{M}\p{N}]*)`,
  ].join('|'),
  'gu',
);
const NEXT_WORD = /[ -]{0,2}([円元年月日時时分秒]|°?\p{L}[\p{L}\d/]{0,20}|[%€$£¥]|°)/uy;
const NEXT_TWO_WORDS =
  / (percent|percentage|per cent|pour cent|por ciento|per cento|square metres?|square meters?)(?: (points?))?(?!\p{L})/uy;
const CURRENCY_BEFORE = /(us\$|[€$£¥]|eur|usd|gbp|chf) ?[-+]?$/;
/** Such a sign belongs to the number behind its currency. */
const MINUS_BEFORE = /(?<![\p{L}\p{N}%)])-(?:us\$|[€$£¥]|(?:eur|usd|gbp|chf) ) ?$/u;
const RANGE =
  / ?(-|to|bis|à|and|und|et|y|e) ?(?:us\$|[€$£¥])?\d[\d.,]{0,20} ?(°?\p{L}{1,20}|[%€$£¥])(?: (\p{L}{1,20}|[€$£¥]))?/uy;
const AND = /^(?:and|und|et|y|e)$/;
const BETWEEN = /(?:between|zwischen|entre|tra|fra) $/;
const ORDINAL_SUFFIX = /^(?:st|nd|rd|th|er|ème|e|º|ª)$/;
/** What makes `one` an article or a pronoun. */
const NO_COUNT = /^ (?:of|that|who|which|another|or|and)(?!\p{L})/u;

/**
 * Finds the numbers, with their units, and the dates of a text, up to `twenty` and by tens to `ninety` in words, too.
 * @param text in lower case and compatible characters
 * @param language primary subtag of BCP 47
 */
export function figuresOf(text: string, language: string): Figure[] {
  return Array.from(placedFiguresIn(text, language), ({ figure }) => figure);
}

/** The same with their places; the unit behind a number is not part of it. */
export function* placedFiguresIn(text: string, language: string): Generator<PlacedFigure> {
  for (const found of text.matchAll(SCANNED)) {
    const end = found.index + found[0].length;
    for (const figure of figuresAt(text, found, language)) yield { figure, start: found.index, end };
  }
}

function figuresAt(text: string, found: RegExpExecArray, language: string): Figure[] {
  const groups = found.groups ?? {};
  const dates = datesOf(groups, language);
  if (dates.length > 0) return [{ readings: dates, kind: 'date', unit: '', isCertain: true }];
  if (groups.number !== undefined) return numbersOf(text, found, groups, language);
  const end = found.index + found[0].length;
  if (groups.word !== undefined) return wordNumbersOf(text, groups.word, end, language);
  return /\d/.test(found[0]) ? literalOf(found[0]) : [];
}

/**
 * Says whether a figure of a statement is the one of a source: the same number in the same unit, or the same date.
 * @param unitsBeside what units the source speaks of, for numbers that have none, as in `weight (kg): 5`
 */
export function isSameFigure(claimed: Figure, given: Figure, unitsBeside: ReadonlySet<string>): boolean {
  if (claimed.kind !== given.kind) return false;
  if (claimed.kind === 'date')
    return claimed.readings.some((date) => given.readings.some((other) => agrees(date, other)));
  const isUnitThere = given.unit === '' ? unitsBeside.has(claimed.unit) : given.unit === claimed.unit;
  return (claimed.unit === '' || isUnitThere) && claimed.readings.some((reading) => given.readings.includes(reading));
}

/** Whether a date says what another one says, which may say more. */
function agrees(claimed: string, given: string): boolean {
  const parts = given.split('-');
  return claimed.split('-').every((part, index) => part === '?' || part === parts[index]);
}

type Groups = Readonly<Record<string, string | undefined>>;

function datesOf(groups: Groups, language: string): string[] {
  const { iso, numeric, day, dayMonth, dayYear, month, monthDay, monthYear, onlyMonth, onlyYear } = groups;
  if (iso !== undefined) return toDates(iso.split('-'));
  if (numeric !== undefined) return numericDates(numeric, language);
  if (dayMonth !== undefined) return toDates([dayYear, numberOf(dayMonth), day]);
  if (month !== undefined) return toDates([monthYear, numberOf(month), monthDay]);
  return onlyMonth === undefined ? [] : toDates([onlyYear, numberOf(onlyMonth), undefined]);
}

function numberOf(month: string): string {
  return String(toMonth(month.replace('.', '')) ?? 0);
}

/** 3.5.2024 is in May; of 3/5/2024 only the reader knows, unless one number is no month. */
function numericDates(written: string, language: string): string[] {
  const [first, second, year = ''] = written.split(/[./-]/);
  const full = year.length === 2 ? `20${year}` : year;
  const byDay = toDates([full, second, first]);
  return written.includes('.') || (language !== 'en' && language !== '')
    ? byDay
    : [...byDay, ...toDates([full, first, second])];
}

function toDates([year, month, day]: readonly (string | undefined)[]): string[] {
  const [y, m, d] = [year, month, day].map((part) => (part === undefined ? undefined : parseInt(part, 10)));
  if (m === undefined || m < 1 || m > 12 || (d !== undefined && (d < 1 || d > 31))) return [];
  return [[y, m, d].map((part) => part ?? '?').join('-')];
}

function numbersOf(text: string, found: RegExpMatchArray, groups: Groups, language: string): Figure[] {
  const start = found.index ?? 0;
  const [number = '', suffix = ''] = [groups.number, groups.suffix];
  const isNegative = MINUS_BEFORE.test(text.slice(Math.max(0, start - 7), start));
  const written = isNegative ? `-${number.replace(/^[-+]/, '')}` : number;
  let end = start + found[0].length;
  const scale = suffix === '' ? scaleAt(text, end, language) : { power: toScale(suffix, language), end };
  end = scale.end;
  const isMarked = ORDINAL_SUFFIX.test(suffix) || scale.power !== undefined;
  const unit = suffix !== '' && !isMarked ? toUnit(suffix) : unitAt(text, end);
  // A4, 5G and 10:30 are names of their own.
  if (unit === undefined && suffix !== '') return literalOf(found[0]);
  const readings = readDecimal(written, scale.power ?? 0);
  if (readings.length === 0) return literalOf(written);
  const before = CURRENCY_BEFORE.exec(text.slice(Math.max(0, start - 5), start))?.[1];
  const own = unit || toUnit(before ?? '') || '';
  const shared = own === '' && scale.power === undefined ? sharedOf(text, start, end, written, language) : undefined;
  return [{ readings, kind: 'number', unit: own, isCertain: true, ...shared }];
}

/** What the number at the end of a range lends to the one at its beginning: in `50 to 53 million €` its unit and scale. */
function sharedOf(
  text: string,
  start: number,
  end: number,
  written: string,
  language: string,
): Pick<Figure, 'readings' | 'unit'> | undefined {
  RANGE.lastIndex = end;
  const [, connector = '', first = '', second = ''] = RANGE.exec(text) ?? [];
  if (first === '' || (AND.test(connector) && !BETWEEN.test(text.slice(Math.max(0, start - 12), start))))
    return undefined;
  const power = toScale(first, language);
  const unit = toUnit(power === undefined ? first : second);
  if (power === undefined && unit === undefined) return undefined;
  const scaled = power === undefined ? [] : readDecimal(written, power);
  return { readings: [...readDecimal(written), ...scaled], unit: unit ?? '' };
}

function literalOf(written: string): Figure[] {
  return [{ readings: [written], kind: 'number', unit: '', isCertain: true }];
}

function scaleAt(text: string, at: number, language: string): { power: number | undefined; end: number } {
  NEXT_WORD.lastIndex = at;
  const power = toScale(NEXT_WORD.exec(text)?.[1] ?? '', language);
  if (power === undefined) return { power, end: at };
  const end = at + (/^[ -]{0,2}\p{L}+\.?/u.exec(text.slice(at, at + 30))?.[0].length ?? 0);
  return { power, end };
}

/** The unit that follows a number; '' where none does. */
function unitAt(text: string, at: number): string {
  NEXT_TWO_WORDS.lastIndex = at;
  const two = NEXT_TWO_WORDS.exec(text);
  if (two) return two[1]?.startsWith('square') ? 'm2' : two[2] === undefined ? '%' : 'pp';
  NEXT_WORD.lastIndex = at;
  const word = NEXT_WORD.exec(text)?.[1] ?? '';
  // `5 euros` and `5 de euros`; `million euros` has its unit behind the scale.
  return toUnit(word) ?? '';
}

function wordNumbersOf(text: string, word: string, end: number, language: string): Figure[] {
  const number = toNumberWord(word, language);
  if (!number) return /\d/.test(word) ? literalOf(word) : [];
  const scale = scaleAt(text, end, language);
  const unit = unitAt(text, scale.end);
  const isCounted =
    word === 'one' && (unit !== '' || scale.power !== undefined) && !NO_COUNT.test(text.slice(end, end + 12));
  const readings = readDecimal(number.value, scale.power ?? 0);
  return [{ readings, kind: 'number', unit, isCertain: number.isCertain || isCounted }];
}
