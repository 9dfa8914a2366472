import { BadRequest } from '../../errors.js';

/** Times as many characters as are kept, since some of them are left out. */
const LOOKED_AT = 10;

/**
 * A name that somebody else has given, as it is stored: the beginning of it, with a space for whatever cannot be read.
 * It may be empty.
 */
export function readableName(text: string, maxCharacters: number): string {
  // What is cut off anyway need not be looked at: somebody else decides how long it is.
  const readable = text
    .slice(0, LOOKED_AT * maxCharacters)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return [...readable].slice(0, maxCharacters).join('').trim();
}

/**
 * A name as it is stored: trimmed.
 * @param field what the caller calls it
 * @throws BadRequest for what is empty, too long, or holds control characters
 */
export function checkedName(name: string, maxCharacters: number, field = 'name'): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > maxCharacters) {
    throw new BadRequest(`${field} must have 1 to ${maxCharacters} characters.`, field);
  }
  if (/\p{Cc}|\p{Cs}/u.test(trimmed)) throw new BadRequest(`${field} must not contain control characters.`, field);
  return trimmed;
}
