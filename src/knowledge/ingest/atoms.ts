import type { Page, PageBlock } from './chunk.types.js';
import { toLevel } from './heading-path.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/**
 * What is only cut where it is longer than a chunk: a heading, a paragraph or an item of a list (`prose`), a row of a table
 * or a line of code (`row`). It begins and ends with what is no white space.
 */
export interface Atom extends TextSpan {
  readonly kind: 'heading' | 'prose' | 'row';
  /** Of headings: 1 to 9. */
  readonly level: number;
  /** Of rows below the header of a table: the header. */
  readonly header?: TextSpan;
}

const SPACE = /\s/;
const RULE = /^[\s|:+=-]+$/;
/** The longest line that is looked at to tell whether it is the rule below a header. */
const LONGEST_RULE = 2_000;

/** The atoms of a page in order, which together have all of its text but white space, whatever its blocks are. */
export function* atomsOf({ text, blocks }: Page): Generator<Atom> {
  let cursor = 0;
  for (const block of blocks) {
    const start = Math.max(cursor, toPlace(text, block.start));
    const end = Math.max(start, toPlace(text, block.end));
    yield* proseOf(text, cursor, start);
    yield* blockAtoms(text, block, start, end);
    cursor = end;
  }
  yield* proseOf(text, cursor, text.length);
}

/** Answers where the first character that is no white space is, from a place on; `end` where there is none. */
export function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && SPACE.test(text.charAt(at))) at += 1;
  return at;
}

/** Answers where the white space at the end of a part of a text begins. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && SPACE.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** A place in the text, not inside of a pair of surrogates. */
function toPlace(text: string, at: number): number {
  const place = Math.min(Math.max(Math.floor(at) || 0, 0), text.length);
  const isInside = /[\ud800-\udbff]/.test(text.charAt(place - 1)) && /[\udc00-\udfff]/.test(text.charAt(place));
  return isInside ? place - 1 : place;
}

function* blockAtoms(text: string, { kind, level }: PageBlock, start: number, end: number): Generator<Atom> {
  if (kind === 'table') yield* rowsOf(text, start, end);
  else if (kind === 'code') for (const line of linesOf(text, start, end)) yield { ...line, kind: 'row', level: 0 };
  else if (kind === 'heading') yield* trimmed(text, start, end, 'heading', toLevel(level));
  else yield* proseOf(text, start, end);
}

function* proseOf(text: string, start: number, end: number): Generator<Atom> {
  yield* trimmed(text, start, end, 'prose', 0);
}

function* trimmed(text: string, start: number, end: number, kind: Atom['kind'], level: number): Generator<Atom> {
  const from = skipSpace(text, start, end);
  if (from < end) yield { start: from, end: trimEnd(text, from, end), kind, level };
}

function* rowsOf(text: string, start: number, end: number): Generator<Atom> {
  let header: TextSpan | undefined;
  let isBelowHeader = false;
  for (const line of linesOf(text, start, end)) {
    const isRule = header && !isBelowHeader && isRuleLine(text.slice(line.start, line.end));
    // The rule of Markdown below it belongs to the header.
    if (!header || isRule) {
      header = { start: header?.start ?? line.start, end: line.end };
      yield { ...line, kind: 'row', level: 0 };
    } else {
      isBelowHeader = true;
      yield { ...line, kind: 'row', level: 0, header };
    }
  }
}

function isRuleLine(line: string): boolean {
  return line.length <= LONGEST_RULE && line.includes('-') && RULE.test(line);
}

function* linesOf(text: string, start: number, end: number): Generator<TextSpan> {
  // Looking for the end of a line goes no further than the block.
  const block = text.slice(0, end);
  for (let at = skipSpace(text, start, end); at < end;) {
    const found = block.indexOf('\n', at);
    const lineEnd = found < 0 ? end : found;
    yield { start: at, end: trimEnd(text, at, lineEnd) };
    at = skipSpace(text, lineEnd, end);
  }
}
