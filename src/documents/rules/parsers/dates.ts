import { MONTH_NAMES, toMonth } from '../../../platform/text/months.js';
import { plainLetters } from './plain-letters.js';

/** Which comes first in dates of three numbers. */
export type DateOrder = 'dmy' | 'mdy';

/** A date as a text has it. */
export interface FoundDate {
  readonly start: number;
  readonly end: number;
  readonly year: number;
  /** Of a date of three numbers in an order that only the document tells: those beside the year. */
  readonly pair?: readonly [first: number, second: number];
  /** Of all others. */
  readonly month?: number;
  readonly day?: number;
}

const MONTHS = [...new Set(MONTH_NAMES.split('|').map(plainLetters))].sort((a, b) => b.length - a.length).join('|');
const monthsByName = new Map(MONTH_NAMES.split('|').map((name) => [plainLetters(name), toMonth(name) ?? 0]));

const DATE = new RegExp(
  [
    String.raw`(?<![\d.,/-])(?<y>\d{4}) ?(?<s1>[-/.]) ?(?<m>\d{1,2}) ?\k<s1> ?(?<d>\d{1,2})(?!\d)`,
    String.raw`(?<![\d.,/-])(?<a>\d{1,2}) ?(?<s2>[-/.]) ?(?<b>\d{1,2}) ?\k<s2> ?(?<c>\d{4}|\d{2})(?![\d]|[./-]\d)`,
    String.raw`(?<![\p{L}\d.,])(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|o|a)?[ -]{0,2}(?:of |de |day of )?(?<name>${MONTHS})(?![\p{L}])\.?,?[ -]{0,2}(?:of |de |del )?(?<year>\d{4}|(?<=-)\d{2})(?!\d)`,
    String.raw`(?<![\p{L}\d])(?<name2>${MONTHS})(?![\p{L}])\.? ?(?<day2>\d{1,2})(?:st|nd|rd|th)?,? ?(?<year2>\d{4})(?!\d)`,
  ].join('|'),
  'gu',
);

/** Finds the dates of a text, in numbers or with the name of a month in English, German, French or Spanish. */
export function findDates(text: string): FoundDate[] {
  const dates: FoundDate[] = [];
  for (const { 0: found, index, groups = {} } of plainLetters(text).replaceAll('\n', ' ').matchAll(DATE)) {
    const date = toDate(groups);
    if (date) dates.push({ start: index, end: index + found.length, ...date });
  }
  return dates;
}

/** A date as `YYYY-MM-DD`; undefined where that day does not exist in this order. */
export function readDate(date: FoundDate, order: DateOrder): string | undefined {
  const { year, pair, month, day } = date;
  if (!pair) return toIso(year, month ?? 0, day ?? 0);
  const [first, second] = pair;
  const asked = order === 'dmy' ? toIso(year, second, first) : toIso(year, first, second);
  return asked ?? (order === 'dmy' ? toIso(year, first, second) : toIso(year, second, first));
}

/** Which order a date proves; undefined where it may be either. */
export function orderOf({ pair }: FoundDate): DateOrder | undefined {
  if (!pair) return undefined;
  const [first, second] = pair;
  if (first > 12 && second <= 12) return 'dmy';
  return second > 12 && first <= 12 ? 'mdy' : undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function toDate(groups: Groups): Omit<FoundDate, 'start' | 'end'> | undefined {
  const { y, m, d, a, b, c, s2, day, name, year, day2, name2, year2 } = groups;
  if (y !== undefined) return known({ year: Number(y), month: Number(m), day: Number(d) });
  if (a !== undefined) {
    const pair = [Number(a), Number(b)] as const;
    const whole = fullYear(c as string);
    // Points stand between days and months in this order alone.
    if (s2 === '.') return known({ year: whole, month: pair[1], day: pair[0] });
    const isOne = [toIso(whole, ...pair), toIso(whole, pair[1], pair[0])].some((date) => date !== undefined);
    return isOne ? { year: whole, pair } : undefined;
  }
  const named = plainMonth(name ?? name2);
  return known({ year: fullYear(year ?? year2 ?? ''), month: named, day: Number(day ?? day2) });
}

function known(date: { year: number; month: number; day: number }): typeof date | undefined {
  return toIso(date.year, date.month, date.day) === undefined ? undefined : date;
}

function plainMonth(name = ''): number {
  return monthsByName.get(name) ?? 0;
}

function fullYear(written: string): number {
  const year = Number(written);
  return written.length === 2 ? (year < 70 ? 2_000 : 1_900) + year : year;
}

function toIso(year: number, month: number, day: number): string | undefined {
  if (!(year >= 1_800 && year <= 2_200)) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.toISOString().slice(0, 10);
}
