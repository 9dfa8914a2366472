import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The halves: what a change of the search may be chosen by, and what only tells how good it has become. */
export const HALVES = ['tuning', 'held out'] as const;
/** One of them. */
export type Half = (typeof HALVES)[number];

/** A question about the manual. */
export interface Question {
  readonly question: string;
  /** `named` uses the manual's own terms, `paraphrased` has few words in common with it. */
  readonly wording: 'named' | 'paraphrased';
  /** The pages that answer it, each with words that stand there. */
  readonly answers: Readonly<Record<string, string>>;
}

/** A question that has its half. */
export interface SplitQuestion extends Question {
  readonly half: Half;
}

/** Reads the 100 questions, 50 of each half. */
export function readQuestions(): SplitQuestion[] {
  const text = readFileSync(join(import.meta.dirname, 'questions.json'), 'utf8');
  return splitQuestions(JSON.parse(text) as Question[]);
}

/** Gives of each wording every second question to a half, in the order of their SHA-256, which nobody has chosen. */
export function splitQuestions(questions: readonly Question[]): SplitQuestion[] {
  return [...Map.groupBy(questions, ({ wording }) => wording).values()].flatMap((alike) =>
    alike
      .map((question) => ({ question, hash: createHash('sha256').update(question.question).digest('hex') }))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ question }, place) => ({ ...question, half: place % 2 === 0 ? HALVES[0] : HALVES[1] })),
  );
}
