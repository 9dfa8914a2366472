import type { NormalizedText } from '../normalization/normalized-text.js';
import { isDigitAt, isWordUnitAt } from '../normalization/word-characters.js';

/** More of what stands between two characters of a passage is not looked at to decide. */
const LOOKED_AT = 64;

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u;
const HYPHENATION =
  /^[\p{Default_Ignorable_Code_Point} ]*[-\u2010\u00ad][\p{Default_Ignorable_Code_Point} ]*[\r\n]\s*$/u;
const LINE_BREAK = /[\r\n\u0085\u2028\u2029]/;
/** An accent, or the vowel or last consonant of a Korean syllable that is written in parts. */
const CONTINUATION = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]/u;
const GROUP_SPACE = /[\u00a0\u2009\u202f]/;

/**
 * Says whether a quote may begin or end before a character of a folded passage: not inside of a word, of a number with
 * its sign, or of what is one character of the passage.
 */
export function isBoundary(passage: string, folded: NormalizedText, index: number): boolean {
  const { text } = folded;
  if (index === text.length) return true;
  const start = folded.toOriginalStart(index);
  if (index > 0) {
    const end = folded.toOriginalEnd(index);
    if (start < end || CONTINUATION.test(passage.charAt(start))) return false;
    const gap = passage.slice(end, Math.min(start, end + LOOKED_AT));
    if (isWordUnitAt(text, index - 1) && isWordUnitAt(text, index) && isNothing(gap)) return false;
    if (INVISIBLE.test(gap) && !LINE_BREAK.test(gap) && isInsideNumber(passage, folded, index)) return false;
  }
  return true;
}

function isNothing(gap: string): boolean {
  return (INVISIBLE.test(gap) && !/\s/.test(gap)) || HYPHENATION.test(gap);
}

/** Whether a number goes on at an index, as `1|,000`, `1,|000`, `1| 000`, `10|²` and `-|5` do. */
function isInsideNumber(passage: string, folded: NormalizedText, index: number): boolean {
  const { text } = folded;
  const [before, after] = [text.charAt(index - 1), text.charAt(index)];
  if (/[.,"^]/.test(after) && isDigitAt(text, index - 1)) return isDigitAt(text, index + 1);
  if (!isDigitAt(text, index) && after !== ' ') return false;
  if (/[.,"^]/.test(before)) return isDigitAt(text, index - 2);
  if (before === '-') return !isWordUnitAt(passage, folded.toOriginalStart(index - 1) - 1);
  const space = after === ' ' ? index : before === ' ' ? index - 1 : -1;
  if (space < 0) return false;
  return GROUP_SPACE.test(passage.charAt(folded.toOriginalStart(space))) || isGrouped(text, space);
}

/** Whether the digits around a space are read as one number: up to three before it, and three behind. */
function isGrouped(text: string, space: number): boolean {
  const before = [1, 2, 3, 4].findIndex((distance) => !isDigitAt(text, space - distance));
  const after = [1, 2, 3, 4].findIndex((distance) => !isDigitAt(text, space + distance));
  return before > 0 && after === 3;
}
