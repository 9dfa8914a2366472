/** A word of a text. */
export interface TextWord {
  /** In lower case. */
  readonly word: string;
  /** Whether it looks like a name or an abbreviation: with a capital that no sentence asks for, or digits. */
  readonly isName: boolean;
}

const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*/gu;
const CAPITAL = /\p{Lu}/u;
const DIGIT = /\p{N}/u;
/** Behind these a word has a capital in any case. */
const BEGINNING = /(?:^|[.!?:…\n。！？"“„«(])\s{0,8}$/u;
const LOOKED_BACK = 10;

/** The words of a text in lower case, in order. */
export function lowerWordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** The words of a text in order, in time in proportion to it. */
export function wordsIn(text: string): TextWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: written, index }) => {
    const word = written.toLowerCase();
    const isCapital = word !== written && CAPITAL.test(written);
    const isOnlyFirst = isCapital && !CAPITAL.test(written.slice(1));
    const begins = isOnlyFirst && BEGINNING.test(text.slice(Math.max(0, index - LOOKED_BACK), index));
    return { word, isName: DIGIT.test(written) || (isCapital && !begins) };
  });
}
