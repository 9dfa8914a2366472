import { isAsciiLetter, isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';
import { isIdSeparator, MOST_ID_SEPARATORS } from './compact-id.js';

/** In a codice fiscale, letters can stand for digits (omocodia): this many are before the last of them. */
const MOST_LETTERS = 14;

/**
 * Answers where the letters begin that stand directly before a place, or before one or two separators there, if
 * nothing else of a word is before them and they are at most fourteen; capital ones where a separator follows. An id of
 * letters and digits can begin with them. Two groups of three capital letters are one such beginning.
 * @returns -1 where there are none
 */
export function findLettersBefore(text: string, place: number): number {
  const end = skipSeparatorsBack(text, place);
  if (end === 0 || !isAsciiLetter(text.charCodeAt(end - 1))) return -1;
  let start = end;
  while (start > 0 && end - start <= MOST_LETTERS && isAsciiLetter(text.charCodeAt(start - 1))) start -= 1;
  const count = end - start;
  if (count > MOST_LETTERS || isWordUnitAt(text, start - 1)) return -1;
  if (end < place && !isCapital(text.slice(start, end))) return -1;
  return start;
}

/** Answers where three capital letters begin that stand apart before others, as in `RSS MRA`; -1 where none do. */
export function findLettersGroupBefore(text: string, place: number): number {
  const end = skipSeparatorsBack(text, place);
  if (end === place || !/^[A-Z]{3}$/.test(text.slice(Math.max(0, end - 3), end))) return -1;
  return isWordUnitAt(text, end - 4) ? -1 : end - 3;
}

function skipSeparatorsBack(text: string, place: number): number {
  let at = place;
  while (at > 0 && place - at < MOST_ID_SEPARATORS && isIdSeparator(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isCapital(letters: string): boolean {
  return /^[A-Z]+$/.test(letters);
}
