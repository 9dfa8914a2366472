import { isAsciiLetter, isDigit, isWordUnitAt } from '../normalization/word-characters.js';

/** An id of letters and digits that was found in a text. */
export interface CompactId {
  /** Without separators, in capital letters. */
  readonly value: string;
  readonly end: number;
}

const MOST_SEPARATORS = 2;

/** What the letters of a form stand for. */
const CLASSES: Readonly<Record<string, (code: number) => boolean>> = {
  /** A letter. */
  L: isAsciiLetter,
  /** A digit. */
  d: isDigit,
  /** A letter or digit. */
  x: (code) => isAsciiLetter(code) || isDigit(code),
};

/**
 * Reads an id of a fixed form at a place, with up to two spaces, dashes or dots between any of its characters; then
 * its letters are capital ones.
 * @param form a letter for each of its characters: `L` letter, `d` digit, `x` either
 * @returns `open` where the end of what is known leaves it undecided, null where there is none
 */
export function readCompactId(text: string, start: number, form: string, isFinal: boolean): CompactId | 'open' | null {
  if (isWordUnitAt(text, start - 1)) return null;
  let [at, value, isSeparated] = [start, '', false];
  for (const character of form) {
    const separated = value === '' ? at : skipSeparators(text, at);
    isSeparated ||= separated > at;
    if (separated === text.length) return isFinal || (isSeparated && /[a-z]/.test(value)) ? null : 'open';
    if (CLASSES[character]?.(text.charCodeAt(separated)) !== true) return null;
    value += text.charAt(separated);
    at = separated + 1;
    if (isSeparated && /[a-z]/.test(value)) return null;
  }
  if (at === text.length && !isFinal) return 'open';
  return isWordUnitAt(text, at) ? null : { value: value.toUpperCase(), end: at };
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < MOST_SEPARATORS && ' -.'.includes(text.charAt(at))) at += 1;
  return at;
}
