import { isWordUnitAt } from '../../platform/text/normalization/word-characters.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/** A piece of a text of a list, without blanks. */
export interface JoinedPart extends TextSpan {
  /** The text of the list that it is of. */
  readonly entry: number;
}

/** The texts of a list as one text, with single blanks. */
export interface JoinedTexts {
  readonly text: string;
  /** In their order. */
  readonly parts: readonly JoinedPart[];
}

/** How far behind a text the next one is looked for, in UTF-16 units: engines leave words out of their lists. */
const WINDOW = 200;
/** Places that are looked at: a sign may stand at each. */
const MOST_PLACES = 5;
const BLANKS = /\s+/g;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Joins words, or texts of segments, as they are written. Engines cut `ada@example.com` into ` ada`, `@example` and `.com`,
 * and Chinese into single signs: joined by blanks they would be none of what rules look for. What stands between two texts
 * is told by the whole text; where one of them is not found there, by the blanks that the engine itself has before its
 * texts, and where it has none, it is one blank.
 * @param whole of the answer; empty where it has none
 */
export function joinTexts(texts: readonly string[], whole: string): JoinedTexts {
  const separators = separatorsOf(texts, whole);
  const parts: JoinedPart[] = [];
  let joined = '';
  for (const [entry, text] of texts.entries()) {
    const pieces = text.split(BLANKS).filter(Boolean);
    if (pieces.length > 0 && joined !== '') joined += separators[entry] ?? ' ';
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) joined += ' ';
      parts.push({ entry, start: joined.length, end: joined.length + piece.length });
      joined += piece;
    }
  }
  return { text: joined, parts };
}

/** What stands before each text. */
function separatorsOf(texts: readonly string[], whole: string): string[] {
  const hasBlanks = texts.some((text) => /^\s+\S/.test(text));
  const bare = texts.map((text) => text.trim());
  let cursor = 0;
  let isFound = false;
  return texts.map((text, index) => {
    const own = bare[index] as string;
    const place = own === '' ? -1 : placeOf(own, bare[index + 1] ?? '', whole, cursor);
    const isApart = !hasBlanks || /^\s/.test(text) || /\s$/.test(texts[index - 1] ?? '');
    const between = isFound && place >= 0 ? whole.slice(cursor, place).replaceAll(BLANKS, ' ') : isApart ? ' ' : '';
    // Words that the list leaves out are none of its own.
    const separator = LETTER.test(between) ? ' ' : between;
    isFound = place >= 0;
    if (isFound) cursor = place + own.length;
    return separator;
  });
}

/** Where a text stands as whole words, or between the one before and the next one; -1 where it does not. */
function placeOf(text: string, next: string, whole: string, cursor: number): number {
  const near = whole.slice(cursor, cursor + WINDOW + text.length);
  let at = near.indexOf(text);
  for (let places = 0; places < MOST_PLACES && at >= 0; places += 1, at = near.indexOf(text, at + 1)) {
    const [start, end] = [cursor + at, cursor + at + text.length];
    const begins = at === 0 || !isWithinWord(whole, start);
    const ends = !isWithinWord(whole, end) || (next !== '' && whole.startsWith(next, end));
    if (begins && ends) return start;
  }
  return -1;
}

function isWithinWord(text: string, at: number): boolean {
  return isWordUnitAt(text, at - 1) && isWordUnitAt(text, at);
}
