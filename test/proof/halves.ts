import { createHash } from 'node:crypto';

/** The halves: what a change may be chosen by, and what only tells how good it has become. */
export const HALVES = ['tuning', 'held out'] as const;
/** One of them. */
export type Half = (typeof HALVES)[number];

/** Gives of each kind every second question to a half, in the order of their SHA-256, which nobody has chosen. */
export function splitInHalves<Question extends { readonly question: string }>(
  questions: readonly Question[],
  kindOf: (question: Question) => string,
): (Question & { readonly half: Half })[] {
  return [...Map.groupBy(questions, kindOf).values()].flatMap((alike) =>
    alike
      .map((question) => ({ question, hash: createHash('sha256').update(question.question).digest('hex') }))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ question }, place) => ({ ...question, half: place % 2 === 0 ? HALVES[0] : HALVES[1] })),
  );
}
