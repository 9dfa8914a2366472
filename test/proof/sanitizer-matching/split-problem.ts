import type { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { scanPieces } from '../../support/matched-texts.js';
import type { PersonalText } from './personal-texts.js';

/**
 * Looks through a text whole, in two pieces cut everywhere, and by the character. Answers what is wrong: the personal
 * string is not found as a whole, or a cut changes what is found; null where all is well.
 */
export function findSplitProblem(matcher: TextMatcher, personal: PersonalText): string | null {
  const { kind, spelling, text, start, end } = personal;
  const about = `${kind}, ${spelling}: ${JSON.stringify(text)}`;
  const whole = scanPieces(matcher, [text]);
  if (whole.text !== text) return `${about} comes out as ${JSON.stringify(whole.text)}`;
  if (!whole.matches.some((match) => match.start <= start && match.end >= end)) return `${about} is not covered`;
  const expected = JSON.stringify(whole);
  if (JSON.stringify(scanPieces(matcher, toUnits(text))) !== expected) return `${about} differs by the character`;
  for (let cut = 1; cut < text.length; cut += 1) {
    const parts = scanPieces(matcher, [text.slice(0, cut), text.slice(cut)]);
    if (JSON.stringify(parts) !== expected) return `${about} differs where it is cut at ${cut}`;
  }
  return null;
}

function toUnits(text: string): string[] {
  return Array.from({ length: text.length }, (_, index) => text.charAt(index));
}
