import { isDigitAt } from '../../platform/text/normalization/word-characters.js';
import type { LayoutCell, LayoutLine, LayoutWord } from './layout.types.js';
import { medianOf } from './word-metrics.js';

/** Words whose letters stand closer than this, in parts of the smaller size, are on one line. */
const SAME_LINE = 0.4;

/** A wider gap than this, in parts of the size of the letters around it, ends a cell. */
const CELL_GAP = 0.85;

/** So does one like this between two numbers: those of one number stand closer. */
const NUMBER_GAP = 0.5;

/** Puts words into lines by where their letters stand, and lines into cells by the gaps. */
export function linesOf(words: readonly LayoutWord[], text: string): LayoutLine[] {
  const lines: LayoutLine[] = [];
  let line: LayoutWord[] = [];
  let baseline = 0;
  for (const word of words.toSorted((one, other) => one.baseline - other.baseline)) {
    const smaller = Math.min(word.size, line[0]?.size ?? word.size);
    if (line.length > 0 && word.baseline - baseline > SAME_LINE * smaller) {
      lines.push(toLine(line, text));
      line = [];
    }
    line.push(word);
    // The mean moves with the words, so that a line that is not quite level stays one.
    baseline += (word.baseline - baseline) / line.length;
  }
  if (line.length > 0) lines.push(toLine(line, text));
  return lines;
}

/** One line of words from left to right. @param words at least one */
function toLine(words: readonly LayoutWord[], text: string): LayoutLine {
  const sorted = words.toSorted((one, other) => one.left - other.left);
  // A word of low letters alone would end a heading, if its own size were all that counts.
  const size = medianOf(sorted.map((word) => word.size));
  const cells: LayoutCell[] = [];
  let cell: LayoutWord[] = [];
  for (const word of sorted) {
    const before = cell.at(-1);
    if (before && !continues(before, word, size, text)) {
      cells.push(toCell(cell));
      cell = [];
    }
    cell.push(word);
  }
  cells.push(toCell(cell));
  return {
    cells,
    top: Math.min(...cells.map(({ top }) => top)),
    bottom: Math.max(...cells.map(({ bottom }) => bottom)),
    size,
  };
}

/** Whether a word follows another in the text and on the page. */
function continues(before: LayoutWord, word: LayoutWord, size: number, text: string): boolean {
  const between = word.start - before.end;
  if (between < 0 || between > 2) return false;
  const areNumbers = isDigitAt(text, before.end - 1) && /[\d$€£+-]/.test(text.charAt(word.start));
  const gap = areNumbers ? NUMBER_GAP : CELL_GAP;
  return word.left - before.right <= gap * Math.max(before.size, word.size, size);
}

/** @param words at least one */
function toCell(words: readonly LayoutWord[]): LayoutCell {
  const [first, last] = [words[0] as LayoutWord, words.at(-1) as LayoutWord];
  let { top, bottom } = first;
  for (const word of words) {
    top = Math.min(top, word.top);
    bottom = Math.max(bottom, word.bottom);
  }
  // Dirt makes single words seem large.
  const size = medianOf(words.map((word) => word.size));
  return { words, start: first.start, end: last.end, left: first.left, right: last.right, top, bottom, size };
}
