import type { TextSpan } from '../../platform/text/text-span.js';
import { isMark, mayBecomeMark, mayBeMark } from './mark-reading.js';
import { shownText } from './shown-text.js';
import { OPENING_BRACKETS, QUOTING_BRACKETS, SQUARE_BRACKETS } from './square-brackets.js';

/** What is between the brackets of a mark, in UTF-16 units; how deep brackets stand in each other; how many may end in one. */
const MOST_UNITS = 200;
const MOST_DEPTH = 8;
const MOST_CLOSINGS = 2;
const MOST_NUMBERS = 200;
/** In a tag, in where a link goes, and behind a backslash, a bracket ends nothing. */
const MAY_HIDE = /[<\\]|!\[|\](?:[(:]|\s?\[)/;
/** A bracket behind it is a footnote that stands where it is said: readers see its number. */
const FOOTNOTE = '^';
const WHITE_SPACE = /\s/g;
const RANGE = /(\d+)(?:[-\u2010-\u2015](\d+))?/g;
const MOST_OF_RANGE = 32;
/** A larger number is of no passage. */
const MOST_DIGITS = 9;
/** An index of a list, and the name that it stands behind, or another index. */
const INDEX = /^\[[\d\s:,-]*\]$/;
const NAME_END = /[\p{L}\p{N}_$]/u;

/** Marks of a sentence that stand beside each other, such as ` [1][3]`, with the white space of their line before them. */
export interface MarkGroup extends TextSpan {
  /** What they name, each once, at most 200; none of brackets that are to be left out. */
  readonly numbers: readonly number[];
}

/** A text whose marks are spaces, or letters; its places are the same. */
export interface MaskedText {
  readonly spaces: string;
  readonly letters: string;
  /** Where a mark begins that may go on behind its end; the end, where there is none. */
  readonly finishedEnd: number;
}

/** A bracket that may become a mark. */
interface OpenBracket {
  readonly start: number;
  closings: number;
}

/**
 * Looks for marks. One within another is a part of that, so that none is left when another is taken out. Where a bracket is
 * open for too long or too deep, or hides something, and may still be one, it is left out itself: nobody could tell what it
 * would become. Takes time in proportion to the text.
 */
class MarkScan {
  private open: OpenBracket[] = [];
  private readonly found: TextSpan[] = [];

  constructor(
    private readonly text: string,
    private readonly isCode: boolean,
  ) {
    for (const { index, 0: bracket } of text.matchAll(SQUARE_BRACKETS)) {
      this.giveUpOld(index);
      if (OPENING_BRACKETS.includes(bracket)) this.begin(index);
      else this.close(index);
    }
    this.giveUpOld(text.length);
  }

  /** In their order. */
  get marks(): TextSpan[] {
    const marks: TextSpan[] = [];
    for (const mark of this.found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
      if (mark.end > (marks.at(-1)?.end ?? 0)) marks.push(mark);
    }
    return marks;
  }

  /** Where a bracket is open at the end that may become a mark; the end, where there is none. */
  get finishedEnd(): number {
    return (
      this.open.find(({ start }) => mayBecomeMark(this.text.slice(start + 1), this.isCode))?.start ?? this.text.length
    );
  }

  private begin(start: number): void {
    this.open.push({ start, closings: 0 });
    if (!this.isCode && this.text[start - 1] === FOOTNOTE) this.found.push({ start, end: start + 1 });
    if (this.open.length > MOST_DEPTH) this.giveUp(this.open.shift(), start);
  }

  private close(at: number): void {
    const isFoundBy = (isOne: (inside: string) => boolean): number =>
      this.open.findIndex(({ start }) => isOne(this.text.slice(start + 1, at)));
    const outermost = isFoundBy((inside) => isMark(inside, this.isCode));
    const doubtful = outermost < 0 ? isFoundBy(mayBeMark) : -1;
    const last = this.open.at(-1);
    const { start = 0 } = this.open[Math.max(outermost, doubtful)] ?? {};
    if (outermost >= 0) {
      const isQuote = QUOTING_BRACKETS.includes(this.text.charAt(start));
      this.found.push({ start, end: isQuote ? start + 1 : at + 1 });
      this.open.length = outermost;
    } else if (doubtful >= 0) {
      this.found.push({ start, end: start + 1 });
      this.open.splice(doubtful, 1);
    } else if (last && !MAY_HIDE.test(this.text.slice(last.start, at))) this.open.pop();
    this.open = this.open.filter((bracket) => {
      bracket.closings += 1;
      if (bracket.closings > MOST_CLOSINGS) this.giveUp(bracket, at);
      return bracket.closings <= MOST_CLOSINGS;
    });
  }

  private giveUpOld(at: number): void {
    while (this.open[0] && at - this.open[0].start > MOST_UNITS) {
      const bracket = this.open.shift();
      this.giveUp(bracket, (bracket?.start ?? 0) + MOST_UNITS);
    }
  }

  private giveUp(bracket: OpenBracket | undefined, at: number): void {
    if (!bracket || !mayBecomeMark(this.text.slice(bracket.start + 1, at), this.isCode)) return;
    this.found.push({ start: bracket.start, end: bracket.start + 1 });
  }
}

/**
 * The groups of marks in a text, in their order.
 * @param isCode whether an index behind a name is none, nor a footnote
 */
export function findMarks(text: string, isCode = false): MarkGroup[] {
  const groups: { start: number; end: number; numbers: Set<number> }[] = [];
  const { marks } = new MarkScan(text, isCode);
  for (const { start, end } of isCode ? withoutIndexes(text, marks) : marks) {
    let last = groups.at(-1);
    if (!last || !isBetweenMarks(text, last.end, start)) {
      // Of a bracket that is left out the space stays.
      const isWhole = end - start > 1;
      last = { start: isWhole ? spaceBefore(text, start, last?.end ?? 0) : start, end, numbers: new Set() };
      groups.push(last);
    }
    last.end = end;
    for (const number of numbersOf(text.slice(start, end))) {
      if (last.numbers.size < MOST_NUMBERS) last.numbers.add(number);
    }
  }
  return groups.map(({ start, end, numbers }) => ({ start, end, numbers: [...numbers] }));
}

/** A text with something else in the place of its marks, and of the beginning of one at its end. */
export function maskMarks(text: string): MaskedText {
  const { marks, finishedEnd: finished } = new MarkScan(text, false);
  const masked = (unit: string): string => {
    const parts = marks.map(
      ({ start, end }, index) => text.slice(marks[index - 1]?.end ?? 0, start) + unit.repeat(end - start),
    );
    const whole = parts.join('') + text.slice(marks.at(-1)?.end ?? 0);
    return whole.slice(0, finished) + unit.repeat(text.length - finished);
  };
  return { spaces: masked(' '), letters: masked('x'), finishedEnd: finished };
}

/** Where a mark begins that may go on behind the end of a text, by 200 units; the end, where there is none. */
export function finishedEnd(text: string, isCode: boolean): number {
  return new MarkScan(text, isCode).finishedEnd;
}

function withoutIndexes(text: string, marks: readonly TextSpan[]): TextSpan[] {
  let indexEnd = -1;
  return marks.filter(({ start, end }) => {
    const isBehindName = start === indexEnd || NAME_END.test(text.charAt(start - 1));
    const isIndex = isBehindName && INDEX.test(text.slice(start, end));
    if (isIndex) indexEnd = end;
    return !isIndex;
  });
}

function isBetweenMarks(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!/[\s,;]/.test(text.charAt(at))) return false;
  return true;
}

function spaceBefore(text: string, start: number, least: number): number {
  let at = start;
  while (at > least && /[^\S\r\n]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function numbersOf(mark: string): number[] {
  const read = shownText(mark).normalize('NFKC').replaceAll(WHITE_SPACE, '');
  return [...read.matchAll(RANGE)].flatMap(([, first = '', second = first]) => {
    if (Math.max(first.length, second.length) > MOST_DIGITS) return [];
    const count = Math.min(Number(second) - Number(first), MOST_OF_RANGE);
    return count > 0 ? Array.from({ length: count + 1 }, (_, at) => Number(first) + at) : [Number(first)];
  });
}
