import { CharacterSet } from '../../platform/text/normalization/character-set.js';
import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

/** A character of these scripts says as much as so many letters. */
const WEIGHTS: readonly (readonly [CharacterSet, number])[] = [
  [new CharacterSet(/\p{Script=Han}/u), 3],
  [new CharacterSet(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u), 2],
];
const LETTERS = new CharacterSet(/[\p{L}\p{M}\p{N}]/u);
/** Where the scripts begin that weigh more. */
const HEAVY = /[\u1100-\uffff]/;

/** A translation may be so many times as long as its source, and so many letters more: words differ more than texts. */
const MOST = { times: 2.2, letters: 25 };
/** So many signs and blanks more than the source has: for each of these, for each letter of its own, and in any case. */
const MOST_OTHERS = { times: 3, ofLetters: 0.6, more: 60 };
const LEAST = { times: 0.45, letters: 4 };
/** Below this part of the source's length a translation without an end is cut. */
const CUT_BELOW = 0.85;
const MOST_WITHOUT_END = 40;

/** What is wrong with a translation that goes on and on. */
export const TOO_LONG: TranslationFault = {
  code: 'too_long',
  message: 'The translation is much longer than the source: translate only, add nothing.',
};

const SENTENCE_END = /[.!?…。！？।။។؟۔։:;：；]["'”’)»」』*_]*\s*$/u;
/** Languages that end sentences with a space or not at all. */
const WITHOUT_ENDS: ReadonlySet<string> = new Set(['th', 'lo', 'km', 'my', 'bo', 'dz']);
const LOOKED_AT = 20;

/** Finds translations that are implausibly short or long for their source, or end in the middle. */
export function findLengthFaults({ source, answer, languages }: ComparedTexts): TranslationFault[] {
  const letters = { source: LETTERS.countIn(source), answer: LETTERS.countIn(answer) };
  const [before, after] = [weigh(source, letters.source), weigh(answer, letters.answer)];
  // Some go on and on without letters: in dots, blanks or pictures.
  const others = answer.length - letters.answer;
  const allowedOthers =
    MOST_OTHERS.times * (source.length - letters.source) + MOST_OTHERS.ofLetters * letters.answer + MOST_OTHERS.more;
  if (after > before * MOST.times + MOST.letters || others > allowedOthers) {
    return [TOO_LONG];
  }
  if (after < before * LEAST.times - LEAST.letters) {
    return [{ code: 'too_short', message: 'The translation is much shorter than the source: translate all of it.' }];
  }
  const isUnended = SENTENCE_END.test(source.slice(-LOOKED_AT)) && !SENTENCE_END.test(answer.slice(-LOOKED_AT));
  if (!isUnended || WITHOUT_ENDS.has(languages.target?.language ?? '')) return [];
  if (before < MOST_WITHOUT_END || after >= before * CUT_BELOW) return [];
  return [{ code: 'cut', message: 'The translation ends in the middle: translate the source to its end.' }];
}

/** The length of a text in letters of alphabets. @param letters those, marks and digits that it has */
function weigh(text: string, letters: number): number {
  if (!HEAVY.test(text)) return letters;
  return WEIGHTS.reduce((sum, [script, weight]) => sum + script.countIn(text) * (weight - 1), letters);
}
