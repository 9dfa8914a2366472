import type { ExtractedPage } from '../../platform/extraction/extraction.types.js';
import type { LayoutCell, LayoutLine, LayoutWord } from './layout.types.js';

/** Cells of a table stand so far apart, in sizes of letters. */
const COLUMN = 60;
/** What a letter is wide and a line is high. */
const LETTER = 0.5;
const LINE = 1.2;

/** What ends a cell of a line that is no row of a table: it has been put into columns by blanks. */
const WIDE_BLANK = /\t+|\s{3,}/g;

/** The lines of a page without boxes, by its line breaks: rows of tables have cells, others where wide blanks are. */
export function textLinesOf({ text, blocks }: Pick<ExtractedPage, 'text' | 'blocks'>): LayoutLine[] {
  const lines: LayoutLine[] = [];
  let top = 0;
  for (const { kind, start, end } of blocks) {
    for (const [from, to] of splitBy(text, start, end, /\n/g)) {
      const isRow = kind === 'table';
      const cells = [...splitBy(text, from, to, isRow ? / \| /g : WIDE_BLANK)].flatMap(([first, last], column) =>
        toTextCell(text, first, last, isRow ? column * COLUMN : (first - from) * LETTER, top),
      );
      if (cells.length > 0) lines.push({ cells, top, bottom: top + 1, size: 1 });
      top += LINE;
    }
    top += LINE;
  }
  return lines;
}

function* splitBy(text: string, start: number, end: number, separator: RegExp): Generator<[number, number]> {
  let from = start;
  for (const { 0: found, index } of text.slice(start, end).matchAll(separator)) {
    yield [from, start + index];
    from = start + index + found.length;
  }
  yield [from, end];
}

function toTextCell(text: string, start: number, end: number, left: number, top: number): LayoutCell[] {
  const words: LayoutWord[] = [...text.slice(start, end).matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: start + index,
    end: start + index + word.length,
    left: left + index * LETTER,
    right: left + (index + word.length) * LETTER,
    top,
    bottom: top + 1,
    baseline: top + 1,
    size: 1,
  }));
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  return [
    { words, start: first.start, end: last.end, left: first.left, right: last.right, top, bottom: top + 1, size: 1 },
  ];
}
