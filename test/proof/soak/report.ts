import type { Tally } from './actor.js';
import type { ProcessSample, Sample } from './sampler.js';

/** How much more a process may have in the last quarter than in the second one. */
const MOST_MEMORY = 1.15;
/** How many more descriptors it may have open, then, and after all as compared to before. */
export const MOST_DESCRIPTORS = 20;
/** For so long memory goes up and down with collections of its garbage that are minutes apart, and tells nothing. */
const LEAST_MINUTES = 15;
const MOST_ROWS = 24;

/** A figure of a process in the second quarter and in the last. */
export interface Comparison {
  readonly what: string;
  readonly second: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/** Whether memory and descriptors are flat; a soak that is too short for the memory to tell is judged by the rest. */
export function compareQuarters(samples: readonly Sample[], names: readonly string[], minutes: number): Comparison[] {
  const quarter = Math.floor(samples.length / 4);
  const isLong = minutes >= LEAST_MINUTES;
  const mean = (part: readonly Sample[], number: number, figure: (sample: ProcessSample) => number): number => {
    const values = part.flatMap(({ processes }) => processes[number] ?? []).map(figure);
    return sum(values, (value) => value) / Math.max(1, values.length);
  };
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  return names.flatMap((name, number) => {
    const memory = [second, last].map((part) => mean(part, number, ({ residentMib }) => residentMib)) as [
      number,
      number,
    ];
    const open = [second, last].map((part) => mean(part, number, ({ descriptors }) => descriptors)) as [number, number];
    return [
      {
        what: `${name}: resident memory, MiB${isLong ? '' : ' (too short to judge)'}`,
        second: memory[0],
        last: memory[1],
        isFlat: !isLong || memory[1] <= memory[0] * MOST_MEMORY,
      },
      {
        what: `${name}: open descriptors`,
        second: open[0],
        last: open[1],
        isFlat: open[1] <= open[0] + MOST_DESCRIPTORS,
      },
    ];
  });
}

/** The course of all, a row for some samples in a row. */
export function courseTable(samples: readonly Sample[], names: readonly string[]): string {
  const step = Math.ceil(samples.length / MOST_ROWS);
  const heads = names.flatMap((name) => [`${name}: MiB`, 'descriptors', 'good request, median / longest, ms']);
  const rows = Array.from({ length: Math.ceil(samples.length / step) }, (_, row) => {
    const part = samples.slice(row * step, (row + 1) * step);
    const end = part.at(-1) as Sample;
    const cells = names.flatMap((_name, number) =>
      processCells(part.flatMap(({ processes }) => processes[number] ?? [])),
    );
    const [whole, failed] = [sum(part, (sample) => sample.whole), sum(part, (sample) => sample.failed)];
    return [end.seconds, ...cells, `${whole} / ${failed}`, most(part.map(({ loadDelayMs }) => loadDelayMs))];
  });
  return table(['seconds', ...heads, 'good calls, whole / failed', 'load held up, ms'], rows);
}

/** What became of what everybody did. */
export function outcomesTable(tally: Tally, actors: readonly string[]): string {
  const rows = actors.map((actor) => {
    const outcomes = tally.of(actor);
    const texts = outcomes.slice(0, 8).map(([outcome, count]) => `${count} × ${outcome.replaceAll(/[|\n]/g, ' ')}`);
    return [actor, outcomes.reduce((all, [, count]) => all + count, 0), texts.join('; ')];
  });
  return table(['who', 'turns', 'how they went'], rows);
}

/** How long what was measured took. */
export function timesTable(tally: Tally): string {
  const rows = [...tally.times].map(([what, times]) => {
    const sorted = times.toSorted((a, b) => a - b);
    return [what, sorted.length, Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), most(sorted)];
  });
  return table(['how long', 'times', 'median, ms', 'longest, ms'], rows);
}

/** Both quarters beside each other. */
export function quartersTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ what, second, last, isFlat }) => {
    return [what, second.toFixed(1), last.toFixed(1), isFlat ? 'yes' : '**no**'];
  });
  return table(['', 'second quarter', 'last quarter', 'flat'], rows);
}

function processCells(samples: readonly ProcessSample[]): (string | number)[] {
  if (samples.length === 0) return ['-', '-', '-'];
  const last = samples.at(-1) as ProcessSample;
  const median = sum(samples, ({ medianMs }) => medianMs) / samples.length;
  return [
    Math.round(last.residentMib),
    last.descriptors,
    `${median.toFixed(1)} / ${most(samples.map(({ longestMs }) => longestMs))}`,
  ];
}

function sum<T>(values: readonly T[], figure: (value: T) => number): number {
  return values.reduce((all, value) => all + figure(value), 0);
}

function most(values: readonly number[]): number {
  return Math.round(Math.max(0, ...values));
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
