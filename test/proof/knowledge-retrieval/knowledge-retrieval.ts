import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../crash/random.js';
import type { TestBed } from '../../crash/test-bed.js';
import { makeTemplate } from '../../support/servers/database-template.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { comparisonsOf, toComparisonTable, worsened } from './comparisons.js';
import { fetchManual, lettersOf } from './postgres-manual.js';
import type { ManualPage } from './postgres-manual.js';
import { readQuestions } from './questions.js';
import type { SplitQuestion } from './questions.js';
import { toQualityTable, toTimesTable } from './quality-tables.js';
import { RetrievalTrial } from './retrieval-trial.js';
import type { Asked } from './retrieval-trial.js';

/** Questions find their answers, and no worse by two ways at once than by one. */
export const knowledgeRetrieval: Proof = {
  name: 'knowledge-retrieval',
  about: '100 questions about the 1,169 pages of the PostgreSQL manual: how often each mode of search finds the answer',
  run: async ({ folder }: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const manualFolder = join(folder, 'manual');
    await mkdir(manualFolder);
    const { version, pages } = await fetchManual(manualFolder);
    const questions = readQuestions();
    const unanswered = findUnanswered(questions, pages);
    if (unanswered.length > 0) return { report: `## Retrieval: manual ${version}\n`, problems: unanswered };
    await makeTemplate();
    const platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    try {
      const trial = await RetrievalTrial.create(platform, pages);
      const seconds = await trial.index();
      const { chunks, problems } = await trial.problems();
      const asked: Asked[] = [];
      for (const question of questions) asked.push(await trial.ask(question));
      const comparisons = comparisonsOf(asked, new Random(seed));
      const report = `## Retrieval: seed ${seed}, manual ${version}

${pages.length} pages in ${chunks} chunks were indexed in ${seconds.toFixed(0)} s.

${toQualityTable(asked)}

${toComparisonTable(comparisons)}

${toTimesTable(asked)}
`;
      return { report, problems: [...problems, ...worsened(comparisons)] };
    } finally {
      await platform.close();
    }
  },
};

/** Another version of the manual may answer a question elsewhere. */
function findUnanswered(questions: readonly SplitQuestion[], pages: readonly ManualPage[]): string[] {
  const letters = new Map(pages.map((page) => [page.filename, page.letters]));
  return questions.flatMap(({ question, answers }) =>
    Object.entries(answers)
      .filter(([filename, words]) => !letters.get(filename)?.includes(lettersOf(words)))
      .map(([filename, words]) => `${question} ${filename} does not say: ${words}`),
  );
}
