import type { Random } from '../../crash/random.js';
import { permutationTest, signTest } from './paired-tests.js';
import { HALVES } from '../halves.js';
import { isHit, reciprocal } from './ranks.js';
import type { Asked, Mode } from './retrieval-trial.js';

/** What is less likely than that by chance, is taken for real. */
const SIGNIFICANT = 0.05;
const RIVALS = ['keyword', 'vector'] as const satisfies readonly Mode[];

/** How hybrid search does beside another mode, question by question. */
export interface Comparison {
  readonly questions: string;
  readonly rival: Mode;
  /** Questions whose answer only the rival has among its first five, and only hybrid search. */
  readonly lost: number;
  readonly won: number;
  /** How likely it is by chance that hybrid search is so much worse by these, or by the reciprocal ranks. */
  readonly pOfHits: number;
  readonly pOfRanks: number;
}

/** Compares hybrid search with the others, for all questions and for each half. */
export function comparisonsOf(asked: readonly Asked[], random: Random): Comparison[] {
  return ['all', ...HALVES].flatMap((name) => {
    const some = asked.filter(({ question }) => name === 'all' || question.half === name);
    return RIVALS.map((rival) => compare(name, some, rival, random));
  });
}

/** The comparisons in which hybrid search is worse beyond chance, a sentence each. */
export function worsened(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ pOfHits, pOfRanks }) => Math.min(pOfHits, pOfRanks) < SIGNIFICANT)
    .map(
      ({ questions, rival }) => `Hybrid search is worse than ${rival} search beyond chance: ${questions} questions.`,
    );
}

/** As Markdown. */
export function toComparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ questions, rival, lost, won, pOfHits, pOfRanks }) => {
    return `| ${questions} | ${rival} | ${won} | ${lost} | ${pOfHits.toFixed(3)} | ${pOfRanks.toFixed(3)} |`;
  });
  return [
    '| questions | hybrid beside | hit@5 of hybrid alone | of the other alone | p of so many hits fewer | p of ranks so much lower |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function compare(questions: string, asked: readonly Asked[], rival: Mode, random: Random): Comparison {
  const hits = asked.map(({ ranks }) => [isHit(ranks.hybrid, 5), isHit(ranks[rival], 5)] as const);
  const won = hits.filter(([hybrid, other]) => hybrid && !other).length;
  const lost = hits.filter(([hybrid, other]) => other && !hybrid).length;
  const differences = asked.map(({ ranks }) => reciprocal(ranks.hybrid) - reciprocal(ranks[rival]));
  const pOfRanks = permutationTest(differences, random);
  return { questions, rival, lost, won, pOfHits: signTest(lost, won), pOfRanks };
}
