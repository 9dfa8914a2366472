import { HALVES } from '../halves.js';
import { hitRate, meanReciprocal } from './ranks.js';
import { MODES } from './retrieval-trial.js';
import type { Asked } from './retrieval-trial.js';

const WORDINGS = ['named', 'paraphrased'] as const;

/** How good each mode is for each half, and for each wording in it. */
export function toQualityTable(asked: readonly Asked[]): string {
  const rows = HALVES.flatMap((half) => {
    const ofHalf = asked.filter(({ question }) => question.half === half);
    return [
      ...qualityRows(half, ofHalf),
      ...WORDINGS.flatMap((wording) =>
        qualityRows(
          `${half}, ${wording}`,
          ofHalf.filter(({ question }) => question.wording === wording),
        ),
      ),
    ];
  });
  return [
    '| questions | mode | hit@1 | hit@5 | hit@10 | MRR@10 |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** How long the questions took. */
export function toTimesTable(asked: readonly Asked[]): string {
  const rows = MODES.map((mode) => {
    const times = asked.map((one) => one.times[mode]).sort((a, b) => a - b);
    const middle = times[Math.floor(times.length / 2)] ?? Number.NaN;
    return `| ${mode} | ${middle.toFixed(0)} | ${(times.at(-1) ?? Number.NaN).toFixed(0)} |`;
  });
  return ['| mode | median of the answers, ms | slowest, ms |', '| --- | --- | --- |', ...rows].join('\n');
}

function qualityRows(name: string, asked: readonly Asked[]): string[] {
  return MODES.map((mode) => {
    const ranks = asked.map((one) => one.ranks[mode]);
    const figures = [...[1, 5, 10].map((among) => hitRate(ranks, among)), meanReciprocal(ranks)];
    return `| ${name} (${ranks.length}) | ${mode} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} |`;
  });
}
