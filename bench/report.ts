import { cpus, totalmem, type } from 'node:os';
import { pinned } from './processes.js';
import type { Figure, Reach, Section } from './section.js';

/** A section and what was measured in it: of each column, the figures of every round. */
export interface MeasuredSection {
  readonly section: Section;
  readonly rounds: ReadonlyMap<string, readonly (readonly Figure[])[]>;
}

/** A row of one column: in each round its figure, if it was measured there. */
type Series = readonly (Figure | undefined)[];

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

function print(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2);
}

function valuesOf(series: Series): number[] {
  return series.flatMap((figure) => figure?.value ?? []).filter((value) => Number.isFinite(value));
}

/** In each round against the yardstick of the same round, so that what disturbed both does not count. */
function comparisons(series: Series, yardstick: Series): number[] {
  return series.flatMap((figure, round) => {
    const other = yardstick[round];
    if (!figure?.against || !other) return [];
    return figure.against === 'share' ? figure.value / other.value : figure.value - other.value;
  });
}

function isReached(value: number, { atLeast, atMost, below, none }: Reach): boolean {
  return (
    (!none || value === 0) &&
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (atMost ?? Number.POSITIVE_INFINITY) &&
    value < (below ?? Number.POSITIVE_INFINITY)
  );
}

function hasTarget(figure: Figure | undefined): boolean {
  return Object.keys(figure?.reach ?? {}).length > 0;
}

function printTarget({ against, reach = {} }: Figure): string {
  const { atLeast, atMost, below, none } = reach;
  const sign = against === 'added' ? '+' : '';
  const unit = against === 'share' ? '×' : '';
  const texts = [
    none && 'none',
    atLeast !== undefined && `≥ ${sign}${atLeast}${unit}`,
    atMost !== undefined && `≤ ${sign}${atMost}${unit}`,
    below !== undefined && `< ${sign}${below}${unit}`,
  ];
  return texts.filter(Boolean).join(', ');
}

/** @param yardstick undefined where there is none; the same series where this is the yardstick itself */
function cell(series: Series, yardstick: Series | undefined): string {
  const values = valuesOf(series);
  const figure = series.find(Boolean);
  if (!figure || values.length === 0) return '–';
  const value = figure.reach?.none ? Math.max(...values) : median(values);
  if (series === yardstick) return print(value);
  const compared = yardstick ? comparisons(series, yardstick) : [];
  const judged = compared.length > 0 ? median(compared) : value;
  const mark = hasTarget(figure) ? ` ${isReached(judged, figure.reach ?? {}) ? '✓' : '✗'}` : '';
  return print(value) + printComparison(figure, compared) + mark;
}

function printComparison({ against }: Figure, compared: readonly number[]): string {
  if (compared.length === 0) return '';
  const middle = median(compared);
  if (against === 'added') return ` (${middle < 0 ? '−' : '+'}${Math.abs(middle).toFixed(2)})`;
  const [lowest, highest] = [Math.min(...compared).toFixed(2), Math.max(...compared).toFixed(2)];
  return ` (${middle.toFixed(2)}×${compared.length > 1 ? `, ${lowest}–${highest}` : ''})`;
}

/** The table of a section under its heading. */
export function reportSection({ section, rounds }: MeasuredSection): string {
  const { columns, title, about, yardstick } = section;
  const all = [...rounds.values()].flat(2);
  const seriesOf = (column: string, row: string): Series =>
    (rounds.get(column) ?? []).map((figures) => figures.find((figure) => figure.row === row));
  const withTargets = all.some(hasTarget);
  const line = (row: string) => {
    const measuredBy = yardstick === undefined ? undefined : seriesOf(yardstick, row);
    const target = all.find((figure) => figure.row === row && hasTarget(figure));
    const cells = columns.map((column) =>
      cell(column === yardstick && measuredBy ? measuredBy : seriesOf(column, row), measuredBy),
    );
    return `| ${[row, ...(withTargets ? [target ? printTarget(target) : ''] : []), ...cells].join(' | ')} |`;
  };
  const count = rounds.get(columns[0] ?? '')?.length ?? 0;
  const heads = [...(withTargets ? ['target'] : []), ...columns];
  return `## ${title}

${about}
${count === 1 ? 'One round.' : `Medians of ${count} rounds.`}

| | ${heads.join(' | ')} |
|---|${'---:|'.repeat(heads.length)}
${[...new Set(all.map(({ row }) => row))].map(line).join('\n')}
`;
}

/** What stands above the sections: where and how they were measured. */
export function reportHead(command: string): string {
  const core = pinned
    ? 'The server under test has one core to itself; the upstream, the client and PostgreSQL share the rest.'
    : 'All processes share all cores.';
  return `# Benchmark results

\`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${type()}, ${cpus().length} × ${cpus()[0]?.model.trim()},
${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. ${core}
The columns of a table are measured in turn, round after round, each time with a process that was started anew, on an empty
database.
In brackets: × is the share of the first column in the same round, with the lowest and the highest of the rounds, + is what
is added to it. A target is for that where it is there; ✓ is reached, ✗ is not. Where the target is none, the worst round is
told. All servers stand before the same scripted upstream. This server runs with authentication, request limits, metering
and logging on.
`;
}
