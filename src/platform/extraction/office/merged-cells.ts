import type { TableCell } from '../tables/table-cell.js';
import type { OfficePackage } from './office-package.js';

/** Cells that are one, from 0, with their last row and column. */
interface MergedRange {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly columns: number;
  isBegun: boolean;
}

const RANGE = /<(?:\w+:)?mergeCell\s[^>]{0,200}?\bref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;
/** Longer than what tells of a range. */
const LONGEST = 300;
const MOST_RANGES = 20_000;
/** Wider ones are titles. */
const MOST_COLUMNS = 100;

/**
 * The cells of a sheet that are merged. A sheet tells them behind its rows, so it is looked through before it is read;
 * without a parser, which would take as long as the reading itself.
 */
export async function readMergedCells(office: OfficePackage, part: string): Promise<MergedCells> {
  const ranges: MergedRange[] = [];
  let rest = '';
  for await (const chunk of office.bytes(part)) {
    const text = rest + Buffer.from(chunk).toString('latin1');
    let end = 0;
    for (const found of text.matchAll(RANGE)) {
      end = found.index + found[0].length;
      const [, left = '', top = '', right = '', bottom = ''] = found;
      const [column, columns] = [columnOf(left), columnOf(right) - columnOf(left) + 1];
      const isKept = columns >= 1 && columns <= MOST_COLUMNS && ranges.length < MOST_RANGES;
      if (isKept) ranges.push({ row: Number(top) - 1, column, lastRow: Number(bottom) - 1, columns, isBegun: false });
    }
    rest = text.slice(Math.max(end, text.length - LONGEST));
  }
  return new MergedCells(ranges.sort((one, other) => one.row - other.row));
}

/** The merged cells of a sheet, whose rows are asked for in their order. */
export class MergedCells {
  private readonly ranges: readonly MergedRange[];
  private active: MergedRange[] = [];
  private next = 0;

  /** @param ranges by their first rows */
  constructor(ranges: readonly MergedRange[]) {
    this.ranges = ranges;
  }

  /** The cells of a row, from 0, with what they span. */
  cellsOf(row: number, texts: readonly string[]): TableCell[] {
    for (let range = this.ranges[this.next]; range && range.row <= row; range = this.ranges[++this.next])
      this.active.push(range);
    this.active = this.active.filter(({ lastRow }) => lastRow >= row);
    const spans = new Map(this.active.map((range) => [range.column, range]));
    const cells: TableCell[] = [];
    const end = Math.max(texts.length, ...this.active.map(({ column, columns }) => column + columns));
    for (let column = 0; column < end;) {
      const range = spans.get(column);
      const text = texts[column] ?? '';
      const goesOn = range && range.row < row && range.isBegun;
      cells.push({
        text: goesOn ? '' : text,
        columns: range?.columns ?? 1,
        ...(goesOn && { continues: 'above' as const }),
      });
      if (range?.row === row) range.isBegun = true;
      column += range?.columns ?? 1;
    }
    return cells;
  }
}

/** `B` is 1. */
export function columnOf(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
