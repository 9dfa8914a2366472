import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBed } from '../../crash/test-bed.js';
import { makeTemplate } from '../../support/servers/database-template.js';
import { HALVES } from '../halves.js';
import type { Proof, Proven } from '../proof.js';
import { CorpusWeb, requirePrograms } from './corpus-web.js';
import { fetchCorpus } from './corpus.js';
import type { Corpus } from './corpus.js';
import { toCitationTable, toContradictionTable, toCoverageTable } from './corpus-tables.js';
import { readMirrors } from './mirrors.js';
import { readQuestions, says } from './questions.js';
import type { CorpusQuestion } from './questions.js';
import { ResearchTrial } from './research-trial.js';
import type { Asked, AskedMirror, Statement } from './research-trial.js';

/** Of each half more than so many of 40 answers must be told, by depth: as many as an earlier trial has told. */
const TO_BEAT: Readonly<Record<number, number>> = { 1: 17, 3: 25 };
const AT_ONCE = 4;
/** Of 20 changes. */
const LEAST_FOUND = 15;

/** Reports tell the answers that pages have, prove all that they tell, and show where pages contradict each other. */
export const researchCorpus: Proof = {
  name: 'research-corpus',
  about: '80 questions about the 1,413 pages of two manuals, and 20 changed copies: what reports tell and prove',
  run: async ({ folder }: TestBed): Promise<Proven> => {
    requirePrograms();
    await mkdir(join(folder, 'packages'));
    const corpus = await fetchCorpus(join(folder, 'packages'));
    const questions = readQuestions();
    const unanswered = findUnanswered(questions, corpus);
    if (unanswered.length > 0) return { report: `## Research: ${corpus.versions.join(', ')}\n`, problems: unanswered };
    await makeTemplate();
    const web = await CorpusWeb.start(join(folder, 'web'), corpus);
    try {
      const trial = await ResearchTrial.start(web);
      try {
        return await research(trial, web, { corpus, questions });
      } finally {
        await trial.close();
      }
    } finally {
      await web.close();
    }
  },
};

async function research(
  trial: ResearchTrial,
  web: CorpusWeb,
  { corpus, questions }: { readonly corpus: Corpus; readonly questions: readonly CorpusQuestion[] },
): Promise<Proven> {
  const asked: Asked[] = [];
  for (const depth of Object.keys(TO_BEAT).map(Number)) {
    asked.push(...(await eachOf(questions, (question) => trial.ask(question, depth))));
    console.error(toCoverageTable(asked));
  }
  const mirrors = readMirrors();
  await web.addMirrors(mirrors);
  const askedMirrors = await eachOf(mirrors, (mirror) => trial.askMirror(mirror));
  const isTrue = (told: readonly Statement[]) => mirrors.some((mirror) => trial.isOf(told, mirror));
  const falseOnes = [
    ...asked.flatMap(({ contradictions }) => contradictions),
    ...askedMirrors.flatMap(({ contradictions }) => contradictions.filter((told) => !isTrue(told))),
  ];
  const report = `## Research: ${corpus.versions.join(', ')}

${corpus.pages.length} pages.

${toCoverageTable(asked)}

${toCitationTable(asked)}

${toContradictionTable(askedMirrors, falseOnes.length)}
`;
  return { report, problems: [...problemsOf(asked, askedMirrors), ...falseOnes.map(toProblem)] };
}

/** Does so much at once, since sessions mostly wait. @returns in the order of what is given */
async function eachOf<Given, Done>(all: readonly Given[], work: (one: Given) => Promise<Done>): Promise<Done[]> {
  const done: Done[] = [];
  const left = all.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, one] of left) done[index] = await work(one);
    }),
  );
  return done;
}

function problemsOf(asked: readonly Asked[], mirrors: readonly AskedMirror[]): string[] {
  const missing = Object.entries(TO_BEAT).flatMap(([depth, most]) =>
    HALVES.flatMap((half) => {
      const some = asked.filter((one) => one.depth === Number(depth) && one.question.half === half);
      const covered = some.filter(({ isCovered }) => isCovered).length;
      return covered > most
        ? []
        : [`At depth ${depth} ${covered} answers of the ${half} half are told, not over ${most}.`];
    }),
  );
  const uncited = [...asked, ...mirrors].filter(({ sentences, cited }) => cited < sentences);
  const found = mirrors.filter(({ isFound }) => isFound).length;
  return [
    ...missing,
    ...[...asked, ...mirrors].flatMap(({ problems }) => problems),
    ...uncited.map(({ sentences, cited }) => `${sentences - cited} sentences of a report have no citation.`),
    ...(found < LEAST_FOUND ? [`Of ${mirrors.length} changes ${found} are shown.`] : []),
  ];
}

function toProblem(told: readonly Statement[]): string {
  return `This is no contradiction: ${told.map(({ text, url }) => `${new URL(url).pathname}: ${text}`).join(' / ')}`;
}

/** Another version of a manual may answer a question elsewhere. */
function findUnanswered(questions: readonly CorpusQuestion[], { pages }: Corpus): string[] {
  const texts = new Map(pages.map(({ path, text }) => [path, text]));
  return questions.flatMap(({ question, answer, pages: paths }) =>
    paths
      .filter((path) => !says(texts.get(path) ?? '', answer))
      .map((path) => `${question} ${path} does not say: ${answer}`),
  );
}
