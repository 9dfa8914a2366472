import { confidenceFigures, fieldFigures } from './measures/figures.js';
import { judge } from './measures/judge.js';
import { isSeen } from './wanted.js';
import type { Outcome } from './measures/outcomes.js';
import type { PageTimes } from './measures/times.js';

type Scans = ReadonlyMap<number, readonly Outcome[]>;

/** Fields of documents like those that rules have seen, and of others, by kind. */
export function toFieldTable(digital: readonly Outcome[], scans: Scans): string {
  const rows = [
    ...(['invoice', 'contract', 'form'] as const).flatMap((kind) =>
      splitRows(
        `digital ${kind}s`,
        digital.filter(({ document }) => document.kind === kind),
      ),
    ),
    ...splitRows('digital, all', digital),
    ...[...scans].flatMap(([dots, outcomes]) => splitRows(`scans at ${dots} dpi`, outcomes)),
  ];
  return [
    '| documents | | fields | precision | recall | F1 | IoU of boxes |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function splitRows(name: string, outcomes: readonly Outcome[]): string[] {
  return [
    fieldRow(name, 'seen', outcomes.filter(isSeen)),
    fieldRow(
      name,
      'held out',
      outcomes.filter((outcome) => !isSeen(outcome)),
    ),
  ];
}

function fieldRow(name: string, part: string, outcomes: readonly Outcome[]): string {
  const { fields, precision, recall, f1, overlap } = fieldFigures(outcomes);
  return `| ${name} | ${part} | ${fields} | ${written(precision)} | ${written(recall)} | ${written(f1)} | ${written(overlap)} |`;
}

/** Each reason why documents are held out, where it is the only one; and the same with all builtin words. */
export function toHeldOutTable(digital: readonly Outcome[], full: readonly Outcome[]): string {
  const rows = (['layout', 'labels', 'language', 'template'] as const).map((reason) => {
    const only = ({ document }: Outcome) => document.heldOut.length === 1 && document.heldOut[0] === reason;
    const [without, withAll] = [fieldFigures(digital.filter(only)), fieldFigures(full.filter(only))];
    return `| ${reason} | ${without.fields} | ${written(without.precision)} | ${written(without.f1)} | ${written(withAll.f1)} |`;
  });
  return [
    '| held out is only the | fields | precision | F1 | F1 with all builtin words |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** What confidence means, also without the rows of tables, which are most of all values. */
export function toConfidenceTable(digital: readonly Outcome[], scans: Scans): string {
  const parts: readonly (readonly [string, readonly Outcome[]])[] = [
    ['digital, seen', digital.filter(isSeen)],
    ['digital, held out', digital.filter((outcome) => !isSeen(outcome))],
    ...[...scans].flatMap(([dots, outcomes]): [string, readonly Outcome[]][] => [
      [`scans at ${dots} dpi, seen`, outcomes.filter(isSeen)],
      [`scans at ${dots} dpi, held out`, outcomes.filter((outcome) => !isSeen(outcome))],
    ]),
  ];
  const rows = parts.flatMap(([name, outcomes]) => {
    const judged = judge(outcomes);
    return [
      confidenceRow(name, judged),
      confidenceRow(
        `${name}, not in rows`,
        judged.filter(({ isRow }) => !isRow),
      ),
    ];
  });
  return [
    '| values | number | ECE | share above 0.9 | precision above 0.9 |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function confidenceRow(name: string, judged: ReturnType<typeof judge>): string {
  const { values, error, share, precision } = confidenceFigures(judged);
  return `| ${name} | ${values} | ${written(error)} | ${written(share)} | ${written(precision)} |`;
}

function written(figure: number): string {
  return Number.isNaN(figure) ? '' : figure.toFixed(3);
}

/** What a born-digital page takes, beside its bare text items. */
export function toTimesTable({ pages, items, reading, rules }: PageTimes): string {
  const factor = (reading + rules) / items;
  return [
    '| pages | bare text items, ms a page | reading and layout | rules | all, by the bare items |',
    '| --- | --- | --- | --- | --- |',
    `| ${pages} | ${items.toFixed(1)} | ${reading.toFixed(1)} | ${rules.toFixed(1)} | ${factor.toFixed(2)} |`,
  ].join('\n');
}
