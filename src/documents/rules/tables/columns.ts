import type { HeaderItem, RowBlock, RowCell, RowLine } from './table.types.js';

/** The cells of one column, by their rows. */
export interface Column {
  readonly cells: ReadonlyMap<number, RowCell>;
  readonly left: number;
  readonly right: number;
  /** The part of its cells that are numbers. */
  readonly numbers: number;
  readonly header?: HeaderItem;
}

interface Growing {
  readonly cells: Map<number, RowCell>;
  left: number;
  right: number;
}

/** A table has so many columns at most. */
const MOST_COLUMNS = 32;

/** Edges that are closer, in sizes of letters, are aligned. */
const ALIGNED = 0.6;

/** Puts the cells of rows below each other into columns, from left to right, and names them by the header. */
export function columnsOf({ rows, header = [] }: RowBlock): Column[] {
  const growing: Growing[] = [];
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) place(growing, cell, index, row);
  }
  const columns = joinOverlapping(growing).map(toColumn);
  return nameColumns(columns, header, rows[0]?.size ?? 1);
}

function place(columns: Growing[], cell: RowCell, index: number, { size }: RowLine): void {
  let best: Growing | undefined;
  let most = 0;
  for (const column of columns) {
    const fit = column.cells.has(index) ? 0 : fitOf(column, cell, size);
    if (fit > most) [best, most] = [column, fit];
  }
  if (best && most > 0.3) {
    best.cells.set(index, cell);
    const share = 1 / Math.min(best.cells.size, 10);
    best.left += (cell.left - best.left) * share;
    best.right += (cell.right - best.right) * share;
  } else if (columns.length < MOST_COLUMNS) {
    columns.push({ cells: new Map([[index, cell]]), left: cell.left, right: cell.right });
  }
}

/** A row whose cell was broken in two begins a column within a column, which is none. */
function joinOverlapping(growing: readonly Growing[]): Growing[] {
  const columns: Growing[] = [];
  for (const column of growing.toSorted((one, other) => other.cells.size - one.cells.size)) {
    const around = columns.find((other) => {
      const overlap = Math.min(column.right, other.right) - Math.max(column.left, other.left);
      return overlap > 0.6 * Math.min(column.right - column.left, other.right - other.left);
    });
    if (!around) columns.push(column);
    else for (const [row, cell] of column.cells) if (!around.cells.has(row)) around.cells.set(row, cell);
  }
  return columns.sort((one, other) => one.left - other.left);
}

/** How much of the narrower one stands below the other, and more where edges are aligned. */
function fitOf(column: Growing, cell: RowCell, size: number): number {
  const overlap = Math.min(column.right, cell.right) - Math.max(column.left, cell.left);
  const narrower = Math.min(column.right - column.left, cell.right - cell.left) || 1;
  const isAligned = [column.left - cell.left, column.right - cell.right].some((gap) => Math.abs(gap) < ALIGNED * size);
  return overlap / narrower + (isAligned && overlap > 0 ? 0.5 : 0);
}

function toColumn({ cells, left, right }: Growing): Column {
  const numbers = [...cells.values()].filter(({ amount }) => amount !== undefined).length / cells.size;
  return { cells, left, right, numbers };
}

/** Each name goes to the column below it: the one that it covers most, else the nearest that has none. */
function nameColumns(columns: readonly Column[], header: readonly HeaderItem[], size: number): Column[] {
  const named = new Map<Column, HeaderItem>();
  const pairs = header
    .flatMap((item) => columns.map((column) => ({ item, column, distance: distanceOf(item, column) })))
    .filter(({ distance }) => distance < 6 * size)
    .sort((one, other) => one.distance - other.distance);
  const used = new Set<HeaderItem>();
  for (const { item, column } of pairs) {
    if (used.has(item) || named.has(column)) continue;
    used.add(item);
    named.set(column, item);
  }
  return columns.map((column) => {
    const found = named.get(column);
    return found ? { ...column, header: found } : column;
  });
}

/** Below 0: by how much they overlap. */
function distanceOf(item: HeaderItem, column: Column): number {
  return Math.max(item.left, column.left) - Math.min(item.right, column.right);
}
