import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitInHalves } from '../halves.js';
import type { Half } from '../halves.js';

const WORD_AT_END = /[\p{L}\p{N}_]$/u;
const WORD_AT_START = /^[\p{L}\p{N}_]/u;

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
  const [plain, wanted] = [plainOf(text), plainOf(answer)];
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    if (!WORD_AT_END.test(plain.slice(0, at)) && !WORD_AT_START.test(plain.slice(at + wanted.length))) return true;
  }
  return false;
}

function plainOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toLowerCase();
}

function manualOf(page: string): string {
  return page.slice(0, page.indexOf('/'));
}
