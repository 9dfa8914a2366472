import { HALVES } from '../halves.js';
import type { Asked, AskedMirror, Researched } from './research-trial.js';

/** How many reports say the answer, for each half and depth. */
export function toCoverageTable(asked: readonly Asked[]): string {
  const rows = depthsOf(asked).flatMap((depth) =>
    HALVES.map((half) => {
      const some = asked.filter((one) => one.depth === depth && one.question.half === half);
      const [covered, read] = [some.filter(({ isCovered }) => isCovered), some.filter(({ isRead }) => isRead)];
      return `| ${half} | ${depth} | ${covered.length} of ${some.length} | ${read.length} |`;
    }),
  );
  return table(['questions', 'depth', 'report says the answer', 'a page that answers was read'], rows);
}

/** How well reports are proven, and how long they are, for each depth. */
export function toCitationTable(asked: readonly Asked[]): string {
  const rows = depthsOf(asked).map((depth) => {
    const some = asked.filter((one) => one.depth === depth);
    const [citations, sentences] = [sumOf(some, 'citations'), sumOf(some, 'sentences')];
    const proven = citations - some.reduce((sum, { problems }) => sum + problems.length, 0);
    const figures = [
      (proven / citations).toFixed(3),
      (sumOf(some, 'cited') / sentences).toFixed(3),
      (proven / some.length).toFixed(1),
      (sentences / some.length).toFixed(1),
    ];
    return `| ${depth} | ${figures.join(' | ')} |`;
  });
  const heads = ['depth', 'citation precision', 'recall', 'effective citations a report', 'sentences'];
  return table(heads, rows);
}

/** How many changes of mirrors are found, and how many contradictions are told that are none. */
export function toContradictionTable(mirrors: readonly AskedMirror[], falseOnes: number): string {
  const found = mirrors.filter(({ isFound }) => isFound).length;
  return table(
    ['mirrors', 'both sides shown', 'false contradictions'],
    [`| ${mirrors.length} | ${found} | ${falseOnes} |`],
  );
}

function depthsOf(asked: readonly Asked[]): number[] {
  return [...new Set(asked.map(({ depth }) => depth))];
}

function sumOf(all: readonly Researched[], of: 'sentences' | 'cited' | 'citations'): number {
  return all.reduce((sum, one) => sum + one[of], 0);
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n');
}
