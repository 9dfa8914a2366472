import type { TextSpan } from '../../platform/text/text-span.js';

const SPACE = String.raw`[\s\p{Cf}]{0,3}`;
/** In whatever script; what nobody sees is left out. */
const NUMBER = String.raw`\p{Nd}[\p{Nd}\p{Cf}]{0,8}`;
const SEPARATOR = String.raw`${SPACE}[,;&/\u2010-\u2015-]${SPACE}`;
/** `[1]`, `[1, 3]`, `[1-3]`, and what models write in place of that: `【1】`, `[^1]`, `[#1]`, `[Passage 1]`, `【1†source】`. */
const MARK = new RegExp(
  String.raw`[[［【]${SPACE}(?:\^|#|(?:passages?|sources?|documents?)${SPACE})?(${NUMBER}(?:${SEPARATOR}${NUMBER}){0,31})${SPACE}(?:†[^\]］】\n]{0,200})?[\]］】]`,
  'giu',
);
/** A mark of which more may come. */
const UNFINISHED = /[[［【][^\]］】]{0,240}$/u;
const MOST_OF_RANGE = 32;

/** Marks of a sentence that stand beside each other, such as ` [1][3]`, with the white space before them. */
export interface MarkGroup extends TextSpan {
  /** What they name, each once. */
  readonly numbers: readonly number[];
}

/** The groups of marks in a text, in their order. */
export function findMarks(text: string): MarkGroup[] {
  const groups: { start: number; end: number; numbers: number[] }[] = [];
  for (const match of text.matchAll(MARK)) {
    const end = match.index + match[0].length;
    const numbers = numbersOf(match[1] ?? '');
    const last = groups.at(-1);
    if (last && /^[\s,;]*$/.test(text.slice(last.end, match.index))) {
      last.end = end;
      last.numbers = [...new Set([...last.numbers, ...numbers])];
    } else {
      const before = text.slice(last?.end ?? 0, match.index);
      groups.push({ start: match.index - (before.length - before.trimEnd().length), end, numbers });
    }
  }
  return groups;
}

/**
 * A text in which something else stands in the place of its marks, and of the beginning of one at its end: its other places
 * are the same.
 */
export function maskMarks(text: string, unit: string): string {
  const masked = text.replaceAll(MARK, (mark) => unit.repeat(mark.length));
  const end = finishedEnd(masked);
  return masked.slice(0, end) + unit.repeat(masked.length - end);
}

/** Where a mark begins that may go on behind the end of a text; the end, where there is none. */
export function finishedEnd(text: string): number {
  return UNFINISHED.exec(text)?.index ?? text.length;
}

function numbersOf(list: string): number[] {
  const parts = list
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .split(/[,;&/]/);
  const numbers = parts.flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split(/[\u2010-\u2015-]/).map(Number);
    const count = Math.min(to - from, MOST_OF_RANGE);
    return count > 0 ? Array.from({ length: count + 1 }, (_, at) => from + at) : [from];
  });
  return [...new Set(numbers)];
}
