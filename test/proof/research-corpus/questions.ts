import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitInHalves } from '../halves.js';
import type { Half } from '../halves.js';

/** A question about the manuals. */
export interface CorpusQuestion {
  readonly question: string;
  /** What a report must say, in whatever case. */
  readonly answer: string;
  /** Where that stands: `manual/page`. */
  readonly pages: readonly string[];
  readonly half: Half;
}

/** Reads the 80 questions, 40 about each manual, of which every second one belongs to a half. */
export function readQuestions(): CorpusQuestion[] {
  const text = readFileSync(join(import.meta.dirname, 'questions.json'), 'utf8');
  return splitInHalves(JSON.parse(text) as Omit<CorpusQuestion, 'half'>[], ({ pages: [page = ''] }) => manualOf(page));
}

/** Whether a text says an answer, as words of their own. */
export function says(text: string, answer: string): boolean {
  return wordsOf(answer).test(text.replaceAll(/\s+/g, ' '));
}

function wordsOf(answer: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(answer)}(?![\\p{L}\\p{N}_])`, 'iu');
}

function manualOf(page: string): string {
  return page.slice(0, page.indexOf('/'));
}
