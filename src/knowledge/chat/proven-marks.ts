import type { TextSpan } from '../../platform/text/text-span.js';
import { decodeBrackets } from './bracket-references.js';
import { findMarks, finishedEnd } from './citation-marks.js';
import { SQUARE_BRACKETS } from './square-brackets.js';

/** Characters of a plane for private use, by the number of a passage, of which there are at most some hundred. */
const FIRST_STAND_IN = 0x10_00_00;
const STAND_IN = /[\u{100000}-\u{100fff}]/gu;
const MOST_ROUNDS = 3;

/** What stands for a mark that is true while a sentence is looked at. */
export function standIn(number: number): string {
  return String.fromCodePoint(FIRST_STAND_IN + number);
}

/** A sentence without characters that would be taken for such. */
export function withoutStandIns(sentence: string): string {
  return sentence.replaceAll(STAND_IN, '');
}

/** A sentence with the marks that stand for themselves. */
export function withMarks(sentence: string): string {
  return sentence.replaceAll(STAND_IN, (character) => `[${(character.codePointAt(0) ?? 0) - FIRST_STAND_IN}]`);
}

/**
 * A sentence out of which marks were taken: what stood around them may be a mark now, or begin one, and is left out, too.
 * @param sentence with characters in the place of the marks that are true
 */
export function settled(sentence: string, isCode: boolean): string {
  let text = sentence;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const read = isCode ? text : decodeBrackets(text);
    const groups = findMarks(read, isCode);
    const open = finishedEnd(read, isCode);
    if (groups.length === 0 && open === read.length) return read;
    text = groups.length > 0 ? without(read, groups) : without(read, [{ start: open, end: open + 1 }]);
  }
  return decodeBrackets(text).replaceAll(SQUARE_BRACKETS, ' ');
}

function without(text: string, spans: readonly TextSpan[]): string {
  const kept = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
  return kept.join('') + text.slice(spans.at(-1)?.end ?? 0);
}
