import type { LabelIndex } from '../labels/label-index.js';
import type { PageIndex } from '../page-index.js';
import { countNumbers, toHeader, toRowLine } from './row-lines.js';
import type { HeaderItem, RowBlock, RowLine } from './table.types.js';

/** An array has so many elements at most, and a document so many blocks of rows. */
const MOST_ROWS = 10_000;
const MOST_BLOCKS = 200;

/** The rows of all arrays together have so many UTF-16 units at most, where each cell counts for some more. */
const MOST_UNITS = 12_000_000;
const CELL_UNITS = 64;

/** Lines that are no rows: behind so many of them on one page, what follows is another table. */
const QUIET_LINES = 6;

/** Collects what may be rows of tables, page by page; the rows of a table that goes on over pages are one block. */
export class TableReader {
  private readonly blocks: RowBlock[] = [];
  private rows = 0;
  private units = 0;
  private readonly mostUnits: number;
  private quiet = 0;
  /** Of the table that is open: its header, as keys of its columns. */
  private headerKey = '';

  /**
   * @param labels of the columns
   * @param needsNumbers whether rows without a header are told by their numbers
   * @param arrays how many there are in the schema
   */
  constructor(
    private readonly labels: LabelIndex,
    private readonly needsNumbers: boolean,
    arrays: number,
  ) {
    this.mostUnits = MOST_UNITS / arrays;
  }

  /** Reads the lines of the next page, in small steps. @returns those, by their number, that belong to tables */
  *add(page: PageIndex): Generator<void, Set<number>> {
    const taken = new Set<number>();
    this.quiet = 0;
    for (const [index, line] of page.page.lines.entries()) {
      if (this.rows >= MOST_ROWS || this.units >= this.mostUnits) break;
      yield;
      const header = toHeader(page, line, this.labels);
      const row = header ? undefined : toRowLine(page, line);
      if (header) this.open(header);
      else if (row && this.isRow(row)) this.push(row);
      else {
        this.quiet += 1;
        continue;
      }
      taken.add(index);
    }
    return taken;
  }

  /** All blocks that have rows. */
  finish(): readonly RowBlock[] {
    return this.blocks.filter(({ rows }) => rows.length > 0);
  }

  private open(header: HeaderItem[]): void {
    const key = header.map(({ column }) => column ?? '-').join();
    this.quiet = 0;
    // The same header again, as at the top of a page, goes on.
    if (key === this.headerKey && this.blocks.at(-1)?.header) return;
    this.headerKey = key;
    this.begin({ header, rows: [] });
  }

  private push(row: RowLine): void {
    const last = this.blocks.at(-1);
    const goesOn = last !== undefined && this.quiet <= QUIET_LINES && (last.header || isAligned(last, row));
    if (!goesOn) this.begin({ rows: [] });
    this.blocks.at(-1)?.rows.push(row);
    this.rows += 1;
    for (const { text } of row.cells) this.units += text.length + CELL_UNITS;
    this.quiet = 0;
  }

  private begin(block: RowBlock): void {
    if (this.blocks.length >= MOST_BLOCKS) this.blocks.splice(smallestOf(this.blocks), 1);
    if (!block.header) this.headerKey = '';
    this.blocks.push(block);
  }

  private isRow(row: RowLine): boolean {
    const numbers = countNumbers(row);
    if (this.needsNumbers) return numbers >= 2 && row.cells.length >= 3;
    const header = this.blocks.at(-1)?.header;
    return header !== undefined && this.quiet <= 2 && row.cells.length >= Math.max(2, header.length / 2);
  }
}

/** Whether most cells of a row stand under those of the block's last one. */
function isAligned({ rows }: RowBlock, row: RowLine): boolean {
  const before = rows.at(-1);
  if (!before) return true;
  const under = row.cells.filter((cell) =>
    before.cells.some((other) => Math.min(cell.right, other.right) > Math.max(cell.left, other.left)),
  );
  return under.length >= Math.min(row.cells.length, before.cells.length) * 0.6;
}

function smallestOf(blocks: readonly RowBlock[]): number {
  let smallest = 0;
  for (const [index, { rows }] of blocks.entries()) {
    if (rows.length < (blocks[smallest] as RowBlock).rows.length) smallest = index;
  }
  return smallest;
}
