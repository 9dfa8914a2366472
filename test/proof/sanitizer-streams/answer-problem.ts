import type { ReadAnswer } from '../../support/builders/cut-answers.js';
import type { PersonalText } from '../sanitizer-matching/personal-texts.js';

/** What an answer has to give. */
export interface Expected {
  /** What the rules make of the whole text. */
  readonly content: string;
  /** The same of the argument of a call; undefined where nothing is expected of it. */
  readonly argument: string | undefined;
  /** The text whose personal string is to be masked, whatever the rules find. */
  readonly masked?: PersonalText;
  /** The personal string that is to be there again, whatever the rules find. */
  readonly restored?: string;
}

/** Answers what is wrong with an answer; undefined where all is well. */
export function findAnswerProblem(answer: ReadAnswer, expected: Expected): string | undefined {
  const texts = [
    ['content', answer.content, expected.content],
    ['argument', answer.argument, expected.argument],
  ] as const;
  for (const [name, text, whole] of texts) {
    if (whole === undefined) continue;
    const told = `${name} ${JSON.stringify(text)}`;
    if (text !== whole) return `${told} is not what the whole text becomes`;
    if (expected.masked && !isMasked(text, expected.masked)) return `${told} has more than a mask in its place`;
    if (expected.restored !== undefined && !text.includes(expected.restored)) return `${told} lacks the string`;
  }
  return undefined;
}

/** Whether a mask stands in the place of the string, and of one character beside it at most on each side. */
function isMasked(masked: string, { text, start, end }: PersonalText): boolean {
  return [start, start - 1].some((from) =>
    [end, end + 1].some((to) => {
      const [before, after] = [text.slice(0, Math.max(0, from)), text.slice(to)];
      const isAround = masked.startsWith(before) && masked.endsWith(after);
      return isAround && /^\[[A-Z_]+\]$/.test(masked.slice(before.length, masked.length - after.length));
    }),
  );
}
