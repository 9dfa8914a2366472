import type { ExtractedPage, TextBox } from '../../platform/extraction/extraction.types.js';
import type { Box } from './layout.types.js';
import { letterEdges } from './letter-widths.js';

/** A word with its box, as the page shows it. */
export interface PageWord {
  readonly start: number;
  readonly end: number;
  readonly box: Box;
  readonly confidence?: number;
}

/** A word that is longer is cut, in UTF-16 units: nothing that is looked for is so long. */
const WORD_UNITS = 500;
/** Of a box whose shape says in which direction it is read. */
const LEAST_LETTERS = 3;

/**
 * Tells the words of a page with boxes, in the order of its text. What a box holds is split at its blanks, by the usual
 * widths of letters; boxes that touch in the text are one word where they stand side by side.
 */
export function wordsOf({
  text,
  boxes = [],
  aspect = 1,
}: Pick<ExtractedPage, 'text' | 'boxes' | 'aspect'>): PageWord[] {
  const words: PageWord[] = [];
  for (const box of boxes) {
    for (const word of isSideways(box, aspect) ? wholeBox(text, box) : splitBox(text, box)) {
      const last = words.at(-1);
      if (last && last.end === word.start && isBeside(last.box, word.box)) words[words.length - 1] = join(last, word);
      else words.push(word);
    }
  }
  return words;
}

function* splitBox(text: string, { start, end, box, confidence }: TextBox): Generator<PageWord> {
  const stretch = text.slice(start, end);
  const found = [...stretch.matchAll(/\S+/g)];
  const [left, top, right, bottom] = box;
  const sure = confidence === undefined ? {} : { confidence };
  // A word alone needs no reckoning.
  const edges = found.length > 1 ? letterEdges(stretch) : undefined;
  const at = (unit: number) => left + (right - left) * (edges?.[unit] ?? unit / (stretch.length || 1));
  for (const { 0: word, index } of found) {
    for (let from = 0; from < word.length; from += WORD_UNITS) {
      const [first, last] = [index + from, index + Math.min(word.length, from + WORD_UNITS)];
      yield { start: start + first, end: start + last, box: [at(first), top, at(last), bottom], ...sure };
    }
  }
}

/** Three letters on a line are wider than high. @param aspect the width of the page by its height */
export function isSideways(
  { start, end, box: [left, top, right, bottom] }: Pick<TextBox, 'start' | 'end' | 'box'>,
  aspect: number,
): boolean {
  return end - start >= LEAST_LETTERS && (right - left) * aspect < bottom - top;
}

/** Where letters stand in a box that is not read from left to right, nobody knows. */
function* wholeBox(text: string, { start, end, box, confidence }: TextBox): Generator<PageWord> {
  for (const { 0: word, index } of text.slice(start, end).matchAll(/\S+/g)) {
    const place = { start: start + index, end: start + index + word.length };
    yield { ...place, box, ...(confidence === undefined ? {} : { confidence }) };
  }
}

/** Whether one goes on where the other ends, on the same line. */
function isBeside([, top, right, bottom]: Box, [otherLeft, otherTop, , otherBottom]: Box): boolean {
  const overlap = Math.min(bottom, otherBottom) - Math.max(top, otherTop);
  return overlap > (bottom - top) / 2 && otherLeft >= right - (bottom - top) * 2;
}

function join(word: PageWord, next: PageWord): PageWord {
  const confidence = Math.min(word.confidence ?? 1, next.confidence ?? 1);
  const isSure = word.confidence === undefined && next.confidence === undefined;
  return {
    start: word.start,
    end: next.end,
    box: unionOf([word.box, next.box]),
    ...(isSure ? {} : { confidence }),
  };
}

/** The smallest box around some; of none, one that is nothing. */
export function unionOf(boxes: readonly Box[]): Box {
  const union: [number, number, number, number] = [1, 1, 0, 0];
  for (const [left, top, right, bottom] of boxes) {
    union[0] = Math.min(union[0], left);
    union[1] = Math.min(union[1], top);
    union[2] = Math.max(union[2], right);
    union[3] = Math.max(union[3], bottom);
  }
  return union;
}
