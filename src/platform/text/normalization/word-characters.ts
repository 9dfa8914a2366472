import { CharacterSet } from './character-set.js';

// Thai and its neighbours, Chinese, Japanese and Korean write words without a space between them or to what follows.
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc]`;
const WORD_UNITS = new CharacterSet(new RegExp(`(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}]`, 'u'));

/** Says whether a UTF-16 unit is a letter, a mark or a digit of a script that has spaces between words. */
export function isWordUnit(code: number): boolean {
  return WORD_UNITS.hasUnit(code);
}

/** Says whether there is such a unit at a place; at none that is outside of the text. */
export function isWordUnitAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordUnit(text.charCodeAt(at));
}

/** Says whether a UTF-16 unit is a digit of ASCII. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Says whether there is a digit of ASCII at a place. */
export function isDigitAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isDigit(text.charCodeAt(at));
}

/** Says whether a UTF-16 unit is a letter of ASCII. */
export function isAsciiLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
