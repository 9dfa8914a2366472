import type { Fragment } from './fragments.js';

/** What stands side by side, from left to right: a line, or the cells of a row of a table. */
export type Row = readonly Fragment[];

/** Rows from top to bottom that belong together: a column, or all that stands between two blocks of columns. */
export interface Region {
  readonly rows: Row[];
  readonly isColumn: boolean;
}

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Whether something stands on both sides of it, in any row. */
  readonly isInner: boolean;
}

/** So many lines stand at least side by side in columns. */
const COLUMN_LINES = 3;

/** Lines of columns are longer than this, in UTF-16 units, cells of tables mostly shorter. */
const COLUMN_CHARACTERS = 18;

/** The least width between columns, in points. */
const GUTTER = 8;

/** So many gaps of a band are tried. */
const GAPS = 8;

/** How often columns may stand within columns. */
const DEPTH = 4;

/** Splits a page into columns, and tells them in the order of reading. */
export function readingOrder(fragments: readonly Fragment[], depth = 0): Region[] {
  const width: Gap = {
    from: Math.min(...fragments.map(({ left }) => left)),
    to: Math.max(...fragments.map(({ right }) => right)),
    isInner: false,
  };
  const regions: Region[] = [];
  let band: Row[] = [];
  let gaps: readonly Gap[] = [];
  const close = () => {
    const columns = depth < DEPTH ? splitBand(band, gaps, depth) : undefined;
    if (columns) regions.push(...columns);
    // What stands below each other without columns is one region.
    else if (regions.at(-1)?.isColumn === false) regions.at(-1)?.rows.push(...band);
    else if (band.length > 0) regions.push({ rows: band, isColumn: false });
  };
  for (const row of toRows(fragments)) {
    const free = gapsOf(row, width);
    const common = intersect(gaps, free);
    if (continuesBand(gaps, free, common)) gaps = common;
    else {
      close();
      band = [];
      gaps = free;
    }
    band.push(row);
  }
  close();
  return regions;
}

/** Whether a row can belong to the same columns: it leaves the same gap between them, and no further one. */
function continuesBand(gaps: readonly Gap[], free: readonly Gap[], common: readonly Gap[]): boolean {
  const [before, now, both] = [gaps, free, common].map((some) => some.filter(({ isInner }) => isInner).length) as [
    number,
    number,
    number,
  ];
  return both > 0 ? now <= both : before === 0 && now === 0 && common.length > 0;
}

/** The columns of a band; undefined where it is one column, or a table. */
function splitBand(band: readonly Row[], gaps: readonly Gap[], depth: number): Region[] | undefined {
  const fragments = band.flat();
  const widest = gaps.toSorted((one, other) => other.to - other.from - (one.to - one.from)).slice(0, GAPS);
  for (const gap of widest) {
    const left = fragments.filter(({ right }) => right <= gap.from);
    const right = fragments.filter((fragment) => fragment.left >= gap.to);
    if (isColumn(left) && isColumn(right)) {
      return [left, right].flatMap((side) =>
        readingOrder(side, depth + 1).map(({ rows }) => ({ rows, isColumn: true })),
      );
    }
  }
  return undefined;
}

function isColumn(fragments: readonly Fragment[]): boolean {
  const lengths = fragments.map(({ text }) => text.length).toSorted((one, other) => one - other);
  return lengths.length >= COLUMN_LINES && (lengths[lengths.length >> 1] as number) >= COLUMN_CHARACTERS;
}

/** Those that overlap by half of the smaller one's height stand side by side. */
function toRows(fragments: readonly Fragment[]): Row[] {
  const rows: Fragment[][] = [];
  for (const fragment of fragments.toSorted((one, other) => one.baseline - other.baseline)) {
    const first = rows.at(-1)?.[0];
    const overlap = first ? Math.min(first.bottom, fragment.bottom) - Math.max(first.top, fragment.top) : 0;
    const height = first ? Math.min(first.bottom - first.top, fragment.bottom - fragment.top) : 1;
    if (overlap >= height / 2) rows.at(-1)?.push(fragment);
    else rows.push([fragment]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.left - other.left));
}

/** What a row leaves free of a width. */
function gapsOf(row: Row, width: Gap): Gap[] {
  const gaps: Gap[] = [];
  let { from } = width;
  for (const { left, right } of row) {
    gaps.push({ from, to: left, isInner: gaps.length > 0 });
    from = Math.max(from, right);
  }
  return [...gaps, { from, to: width.to, isInner: false }].filter(isWide);
}

function isWide({ from, to }: Gap): boolean {
  return to - from >= GUTTER;
}

function intersect(gaps: readonly Gap[], others: readonly Gap[]): Gap[] {
  const both: Gap[] = [];
  let [i, j] = [0, 0];
  while (i < gaps.length && j < others.length) {
    const [gap, other] = [gaps[i] as Gap, others[j] as Gap];
    const isInner = gap.isInner || other.isInner;
    both.push({ from: Math.max(gap.from, other.from), to: Math.min(gap.to, other.to), isInner });
    if (gap.to < other.to) i += 1;
    else j += 1;
  }
  return both.filter(isWide);
}
