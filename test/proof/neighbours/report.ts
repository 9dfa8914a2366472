import type { Outcomes } from './be-greedy.js';
import type { GreedyWork } from './greedy-work.js';
import type { ChatTimes } from './other-chats.js';
import type { Most } from './watch.js';

/** So much slower the chats of others may become, as 99 of 100 go. */
const MOST_GROWTH = 3;
/** So much more the server's own process may have; what it works on at once is bounded, and so are the texts of it. */
const MOST_MIB = 1_024;

/** How one work went, and the chats beside it. */
export interface WorkResult {
  readonly work: GreedyWork;
  /** What the server had before. */
  readonly before: Most;
  readonly alone: ChatTimes;
  readonly beside: ChatTimes;
  readonly most: Most;
  readonly outcomes: Outcomes;
  /** What was beyond its bound. */
  readonly beyond: readonly string[];
  /** What was not given back in time. */
  readonly unrested: readonly string[];
  /** Of the machine, in the last minute. */
  readonly load: number;
}

/** As Markdown. */
export function reportOf(results: readonly WorkResult[], seed: number): string {
  const heads = ['what one user takes', 'by', 'chats of others alone, median / p99, ms', 'beside it', 'growth of p99'];
  const more = [
    'failed',
    'most that was taken, of its bound',
    'server, MiB',
    'processes below it, MiB',
    'load of the machine; the chats themselves were held up, ms',
    'answers to it',
  ];
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const rows = results.map((result) => line(cellsOf(result)));
  return [
    `## Neighbours: seed ${seed}`,
    '',
    line([...heads, ...more]),
    line([...heads, ...more].map(() => '---')),
    ...rows,
    '',
  ].join('\n');
}

/** What does not hold, a sentence each. */
export function problemsOf({ work, before, alone, beside, most, beyond, unrested }: WorkResult): string[] {
  const name = `${work.resource}: `;
  const growth = growthOf(alone, beside);
  const more = most.residentMib - before.residentMib;
  return [
    ...[alone, beside].flatMap(({ failures }) =>
      [...failures].map(([why, count]) => `${name}${count} chats failed: ${why}`),
    ),
    ...(growth >= MOST_GROWTH ? [`${name}p99 of others grew ${growth.toFixed(1)} times`] : []),
    ...(more > MOST_MIB ? [`${name}the server took ${more.toFixed(0)} MiB more`] : []),
    ...beyond.map((text) => name + text),
    ...unrested.map((text) => `${name}${text} is left after 5 s`),
  ];
}

function growthOf(alone: ChatTimes, beside: ChatTimes): number {
  return beside.p99Ms / Math.max(alone.p99Ms, 1);
}

function cellsOf({ work, before, alone, beside, most, outcomes, load }: WorkResult): (string | number)[] {
  const bounds = Object.entries({ ...work.bounds, ...work.programs });
  const failed = [alone, beside]
    .flatMap(({ failures }) => [...failures.values()])
    .reduce((all, count) => all + count, 0);
  return [
    work.resource,
    work.does,
    timesOf(alone),
    timesOf(beside),
    growthOf(alone, beside).toFixed(1),
    failed,
    bounds.map(([name, bound]) => `\`${name}\` ${shown(most.counted[name] ?? 0)} of ${shown(bound)}`).join(', ') || '–',
    `${before.residentMib.toFixed(0)} → ${most.residentMib.toFixed(0)}`,
    `${most.processes}, ${most.childrenMib.toFixed(0)}`,
    `${load.toFixed(1)}; ${beside.loadDelayMs.toFixed(0)}`,
    outcomes
      .slice(0, 4)
      .map(([outcome, count]) => `${count} × ${outcome}`)
      .join(', ') || 'none came to its end',
  ];
}

function timesOf({ medianMs, p99Ms }: ChatTimes): string {
  return `${medianMs.toFixed(0)} / ${p99Ms.toFixed(0)}`;
}

function shown(value: number): string {
  return value >= 1_048_576 ? `${(value / 1_048_576).toFixed(0)} MiB` : String(value);
}
