import { UNSPACED } from '../languages/unspaced.js';
import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

/** A word with what is joined to it by hyphens: many languages say a word twice in that way. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*(?:[-‐‑]\p{L}[\p{L}\p{M}\p{N}'’]*)*/gu;
/** One word said twice means another in many languages, such as `yavaş yavaş` for "slowly". */
const REDUPLICATED = /^\P{L}*(\p{L}[\p{L}\p{M}]*) \1\P{L}*$/iu;
/** Of texts without spaces: repeated words are shorter. */
const LEAST_UNSPACED = 3;
/** Of a word on both sides. */
const LEAST_LETTERS = 3;
/** Signs with which texts are decorated, in front and at the end. */
const DECORATION = /^(?:[*_~=#|^•★☆[【\p{Emoji_Presentation}]|<<|>>)/u;
const DECORATION_END = /(?:[*_~=#|^•★☆\]】\p{Emoji_Presentation}]|<<|>>)$/u;

/** Finds translations that are said twice, or have the same word or signs put around them. */
export function findRepetition({ source, answer, languages }: ComparedTexts): TranslationFault[] {
  const isFault =
    (UNSPACED.has(languages.target?.language ?? '')
      ? isSaidTwiceUnspaced(answer) && !isSaidTwiceUnspaced(source)
      : isSaidTwice(source, answer) || hasWordAround(source, answer)) || isDecorated(source, answer);
  if (!isFault) return [];
  return [{ code: 'repeated', message: 'Write the translation once, with no words or signs around it.' }];
}

function isSaidTwice(source: string, answer: string): boolean {
  const words = wordsOf(answer);
  const period = periodOf(words);
  if (period === words.length) return false;
  const own = wordsOf(source);
  if (period > 1) return periodOf(own) === own.length;
  return !hasRepeated(own) && (own.length > 1 || !REDUPLICATED.test(answer));
}

/** Whether it begins and ends with a word that it would have said once, written in the same way: `Nie … nie` is grammar. */
function hasWordAround(source: string, answer: string): boolean {
  const words = answer.match(WORD) ?? [];
  const [first, last] = [words[0], words.at(-1)];
  return words.length > 2 && first === last && (first?.length ?? 0) >= LEAST_LETTERS && !hasRepeated(wordsOf(source));
}

function isSaidTwiceUnspaced(text: string): boolean {
  const letters = [...text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')];
  const period = periodOf(letters);
  return period >= LEAST_UNSPACED && period < letters.length;
}

function isDecorated(source: string, answer: string): boolean {
  const isAround = DECORATION.test(answer) && DECORATION_END.test(answer);
  return isAround && !DECORATION.test(source) && !DECORATION_END.test(source);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

function hasRepeated(words: readonly string[]): boolean {
  return new Set(words).size < words.length;
}

/** The length of the shortest list that, said several times, makes this one; that of the list itself where none does. */
function periodOf(items: readonly string[]): number {
  // The borders of all beginnings (Knuth, Morris and Pratt), in time in proportion to the list.
  const borders = [0];
  for (let index = 1; index < items.length; index += 1) {
    let border = borders[index - 1] ?? 0;
    while (border > 0 && items[border] !== items[index]) border = borders[border - 1] ?? 0;
    borders.push(items[border] === items[index] ? border + 1 : 0);
  }
  const period = items.length - (borders.at(-1) ?? 0);
  return items.length % period === 0 ? period : items.length;
}
