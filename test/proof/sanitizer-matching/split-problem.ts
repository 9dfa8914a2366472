import type { TextMatch } from '../../../src/sanitizer/matching/match.types.js';
import type { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { scanPieces } from '../../support/probes/matched-texts.js';
import { frameText, readFramedText } from './framed-text.js';
import type { PersonalText } from './personal-texts.js';

/** How many characters around a string may be taken with it, such as the parenthesis before a phone number. */
const MOST_OUTSIDE = 1;

/**
 * Looks through a text whole, in two pieces cut everywhere, by the character, and as a stream whose bytes are cut
 * everywhere. Answers what is wrong: the personal string is not found as a whole, as what it is and without what is
 * around it, or a cut changes what is found; null where all is well.
 */
export function findSplitProblem(matcher: TextMatcher, personal: PersonalText): string | null {
  const { sort, spelling, text } = personal;
  const about = `${sort}, ${spelling}: ${JSON.stringify(text)}`;
  const whole = scanPieces(matcher, [text]);
  if (whole.text !== text) return `${about} comes out as ${JSON.stringify(whole.text)}`;
  if (!whole.matches.some((match) => fits(match, matcher, personal))) {
    return `${about} is not found as it is: ${JSON.stringify(whole.matches)}`;
  }
  const expected = JSON.stringify(whole);
  for (const [how, pieces] of waysToCut(text)) {
    if (JSON.stringify(scanPieces(matcher, pieces)) !== expected) return `${about} differs ${how}`;
  }
  return null;
}

function fits({ start, end, rules }: TextMatch, { kinds }: TextMatcher, personal: PersonalText): boolean {
  const isWhole = start <= personal.start && end >= personal.end;
  const isTight = start >= personal.start - MOST_OUTSIDE && end <= personal.end + MOST_OUTSIDE;
  return isWhole && isTight && rules.some((rule) => kinds[rule] === personal.kind);
}

function* waysToCut(text: string): Generator<readonly [how: string, pieces: readonly string[]]> {
  yield ['by the character', Array.from({ length: text.length }, (_, index) => text.charAt(index))];
  for (let cut = 1; cut < text.length; cut += 1) {
    yield [`where it is cut at ${cut}`, [text.slice(0, cut), text.slice(cut)]];
  }
  const bytes = frameText(text);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    yield [`where the bytes of its stream are cut at ${cut}`, readFramedText(bytes, cut)];
  }
}
