import type { TextSpan } from '../../platform/text/text-span.js';

const OPENING = /[[［【〔〚⟦]/;
const CLOSING = /[\]］】〕〛⟧]/;
const NEXT_OPENING = new RegExp(OPENING, 'g');
/** What nobody sees, or what only says how something looks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{M}]/u;
/** What may stand between the numbers of a mark: `[1]`, `[1, 3]`, `[^1]`, `[**1**]`, `【1†】`. */
const BETWEEN = /[\s\p{P}\p{Sk}]/u;
const NUMERAL = /\p{N}/u;
const LETTERS = /[\p{L}]{1,12}/uy;
/** Words of a mark; with any other one a bracket says something. */
const WORDS = new Set(
  (
    'passage passages source sources document documents doc docs ref refs reference references citation note chunk ' +
    'page pages p pp no nr n and see und siehe quelle quellen seite et voir y e'
  ).split(' '),
);
const RANGE = /(\d+)(?:[-\u2010-\u2015](\d+))?/g;
const MOST_OF_RANGE = 32;
/** A larger number is of no passage. */
const MOST_DIGITS = 9;

/** Marks of a sentence that stand beside each other, such as ` [1][3]`, with the white space of their line before them. */
export interface MarkGroup extends TextSpan {
  /** What they name, each once. */
  readonly numbers: readonly number[];
}

/** The marks of a text, and what may become one. */
interface ScannedMarks {
  readonly marks: readonly TextSpan[];
  /** Where a bracket is open at the end that may become one; the end, where there is none. */
  readonly finishedEnd: number;
}

/**
 * Finds the marks of a text: brackets with numbers, and nothing beside them but signs and the words of a mark. One within
 * another is a part of that, so that none is left when another is taken out. Takes time in proportion to the text.
 */
function scan(text: string): ScannedMarks {
  const marks: TextSpan[] = [];
  let open: { start: number; hasNumeral: boolean }[] = [];
  for (let at = nextOpening(text, 0); at < text.length; ) {
    if (open.length === 0) at = nextOpening(text, at);
    if (at >= text.length) break;
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (OPENING.test(character)) open.push({ start: at, hasNumeral: false });
    else if (CLOSING.test(character)) close(marks, open, at + 1);
    else if (NUMERAL.test(character)) for (const bracket of open.slice(-1)) bracket.hasNumeral = true;
    else if (!INVISIBLE.test(character) && !BETWEEN.test(character)) {
      const word = wordAt(text, at);
      if (word === undefined) open = [];
      else at += word.length - character.length;
    }
    at += character.length;
  }
  return { marks, finishedEnd: open[0]?.start ?? text.length };
}

function close(marks: TextSpan[], open: { start: number; hasNumeral: boolean }[], end: number): void {
  const bracket = open.pop();
  if (!bracket?.hasNumeral) return;
  // Those within it are a part of it.
  while ((marks.at(-1)?.start ?? -1) >= bracket.start) marks.pop();
  marks.push({ start: bracket.start, end });
  const outer = open.at(-1);
  if (outer) outer.hasNumeral = true;
}

/** The groups of marks in a text, in their order. */
export function findMarks(text: string): MarkGroup[] {
  const groups: { start: number; end: number; numbers: number[] }[] = [];
  for (const { start, end } of scan(text).marks) {
    const numbers = numbersOf(text.slice(start, end));
    const last = groups.at(-1);
    if (last && isBetweenMarks(text, last.end, start)) {
      last.end = end;
      last.numbers = [...new Set([...last.numbers, ...numbers])];
    } else {
      groups.push({ start: spaceBefore(text, start, last?.end ?? 0), end, numbers });
    }
  }
  return groups;
}

/** A text in which something else stands in the place of its marks, and of the beginning of one at its end. */
export function maskMarks(text: string, unit: string): string {
  const { marks, finishedEnd: finished } = scan(text);
  let masked = '';
  let from = 0;
  for (const { start, end } of marks) {
    masked += text.slice(from, start) + unit.repeat(end - start);
    from = end;
  }
  masked += text.slice(from);
  return masked.slice(0, finished) + unit.repeat(text.length - finished);
}

/** Where a mark begins that may go on behind the end of a text; the end, where there is none. */
export function finishedEnd(text: string): number {
  return scan(text).finishedEnd;
}

function nextOpening(text: string, from: number): number {
  NEXT_OPENING.lastIndex = from;
  return NEXT_OPENING.exec(text)?.index ?? text.length;
}

/** The word of a mark that begins at a place, or may become one at the end of the text; undefined: there is another one. */
function wordAt(text: string, at: number): string | undefined {
  LETTERS.lastIndex = at;
  const [word] = LETTERS.exec(text) ?? [];
  if (word === undefined) return undefined;
  const isCut = at + word.length === text.length && [...WORDS].some((known) => known.startsWith(word.toLowerCase()));
  return isCut || WORDS.has(word.toLowerCase()) ? word : undefined;
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
  const read = mark.normalize('NFKC').replaceAll(/[\s\p{Default_Ignorable_Code_Point}\p{M}]/gu, '');
  const numbers = [...read.matchAll(RANGE)].flatMap(([, first = '', second = first]) => {
    if (Math.max(first.length, second.length) > MOST_DIGITS) return [];
    const count = Math.min(Number(second) - Number(first), MOST_OF_RANGE);
    return count > 0 ? Array.from({ length: count + 1 }, (_, at) => Number(first) + at) : [Number(first)];
  });
  return [...new Set(numbers)];
}
