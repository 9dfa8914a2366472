import { findQuote } from '../../../../src/platform/text/quotes/find-quote.js';
import type { AnyJson } from '../../probes/any-json.js';

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A word as somebody has written it into a file. */
export interface WrittenWord {
  readonly text: string;
  readonly page: number;
  readonly box: Box;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** By how much boxes of readers and writers of files differ, of a page. */
const MARGIN = 0.02;

/**
 * What is wrong with the proof of a value, compared with what was written into the file, without anything that has read it.
 * @param field as the results have it @param words all of the file, as they follow one another @returns undefined: nothing
 */
export function flawOf(field: AnyJson, words: readonly WrittenWord[]): string | undefined {
  const { value, quote, page, bbox } = field;
  if (value === null) return quote === null && page === null && bbox === null ? undefined : 'a proof of nothing';
  if (typeof quote !== 'string' || typeof page !== 'number') return 'no quote or page';
  const ofPage = words.filter((word) => word.page === page);
  const text = ofPage.map((word) => word.text).join(' ');
  if (!findQuote(text, quote.replaceAll(' | ', ' '))) return 'a quote that is not on its page';
  if (!isSaid(value, quote)) return 'a value that its quote does not say';
  const places = placesOf(quote.split(/[\s|]+/).filter(Boolean), ofPage);
  if (!places.some((place) => holds(bbox as Box, place))) return 'a box that is not that of the words';
  return undefined;
}

function isSaid(value: unknown, quote: string): boolean {
  if (typeof value === 'number') {
    const numbers = quote.match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
    return numbers.some((number) => Math.abs(value) === Number(number.replaceAll(',', '')));
  }
  if (typeof value === 'boolean')
    return new RegExp(value ? String.raw`\b(?:yes|true|x)\b` : String.raw`\b(?:no|false)\b`, 'i').test(quote);
  const text = String(value);
  return findQuote(quote, text) !== undefined || daysIn(quote).includes(text);
}

function daysIn(quote: string): string[] {
  return [...quote.matchAll(/(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})/gi)].map(([, day = '', month = '', year = '']) => {
    const number = MONTHS.indexOf(month.toLowerCase()) + 1;
    return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  });
}

/** Wherever some words follow one another; the first and the last may be parts of longer ones. */
function placesOf(wanted: readonly string[], words: readonly WrittenWord[]): WrittenWord[][] {
  const places: WrittenWord[][] = [];
  for (let first = 0; first + wanted.length <= words.length; first += 1) {
    const place = words.slice(first, first + wanted.length);
    const fits = place.every(({ text }, at) => {
      const isEdge = at === 0 || at === wanted.length - 1;
      return isEdge ? text.includes(wanted[at] ?? '') : text === wanted[at];
    });
    if (fits) places.push(place);
  }
  return places;
}

/** Whether a box has the middle of each word in it, and nothing that is not beside them. */
function holds(box: Box | null, words: readonly WrittenWord[]): boolean {
  if (!box) return false;
  const [left, top, right, bottom] = box;
  const isInside = words.every(({ box: [l, t, r, b] }) => {
    const [x, y] = [(l + r) / 2, (t + b) / 2];
    return x >= left && x <= right && y >= top && y <= bottom;
  });
  const [least, highest] = [
    Math.min(...words.map((word) => word.box[0])),
    Math.min(...words.map((word) => word.box[1])),
  ];
  const [most, lowest] = [Math.max(...words.map((word) => word.box[2])), Math.max(...words.map((word) => word.box[3]))];
  const isNoLarger =
    left >= least - MARGIN && top >= highest - MARGIN && right <= most + MARGIN && bottom <= lowest + MARGIN;
  return isInside && isNoLarger;
}
