import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitInHalves } from '../halves.js';
import type { Half } from '../halves.js';

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
  return splitInHalves(JSON.parse(text) as Question[], ({ wording }) => wording);
}
