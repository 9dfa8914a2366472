import { isAsciiLetter, isDigit, isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';

/** An id of letters and digits that was found in a text. */
export interface CompactId {
  /** Without separators, in capital letters. */
  readonly value: string;
  readonly end: number;
}

/** How an id of letters and digits may be written. */
export interface IdForm {
  /** A letter for each of its characters: `L` letter, `d` digit, `x` either. */
  readonly characters: string;
  /** How many characters its groups have if separators may be among small letters, too; 0: they may not. */
  readonly smallGroups: number;
}

/** How many separators may stand between two characters of an id. */
export const MOST_ID_SEPARATORS = 2;

/** What the letters of a form stand for. */
const CLASSES: Readonly<Record<string, (code: number) => boolean>> = {
  L: isAsciiLetter,
  d: isDigit,
  x: (code) => isAsciiLetter(code) || isDigit(code),
};

/** Says whether a UTF-16 unit may stand between the characters of an id: a space, dash or dot. */
export function isIdSeparator(code: number): boolean {
  return code === 0x20 || code === 0x2d || code === 0x2e;
}

/**
 * Reads an id of a fixed form at a place, with up to two separators between any of its characters; then its letters are
 * capital ones, or its groups are regular.
 * @returns `open` where the end of what is known leaves it undecided, null where there is none
 */
export function readCompactId(text: string, start: number, form: IdForm, isFinal: boolean): CompactId | 'open' | null {
  if (isWordUnitAt(text, start - 1)) return null;
  const { characters, smallGroups } = form;
  let [at, value, needsCapitals] = [start, '', false];
  for (const character of characters) {
    const separated = value === '' ? at : skipSeparators(text, at);
    needsCapitals ||= separated > at && (smallGroups === 0 || value.length % smallGroups !== 0);
    if (separated === text.length) return isFinal || (needsCapitals && /[a-z]/.test(value)) ? null : 'open';
    if (CLASSES[character]?.(text.charCodeAt(separated)) !== true) return null;
    value += text.charAt(separated);
    at = separated + 1;
    if (needsCapitals && /[a-z]/.test(value)) return null;
  }
  if (at === text.length && !isFinal) return 'open';
  return isWordUnitAt(text, at) ? null : { value: value.toUpperCase(), end: at };
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < MOST_ID_SEPARATORS && isIdSeparator(text.charCodeAt(at))) at += 1;
  return at;
}
