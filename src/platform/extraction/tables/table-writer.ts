import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { PieceWriter } from '../piece-writer.js';
import { lineOf, placeCells } from './table-cell.js';
import type { PlacedCell, TableCell } from './table-cell.js';
import { readBeginning } from './table-header.js';

/** Where blocks go. */
export type BlockSink = Pick<PieceWriter, 'add'>;

/** About how long a group of rows is, in UTF-16 units, without its header. */
const GROUP_CHARACTERS = 2_000;

/** The longest header that is repeated; a longer one is written once. */
const HEADER_CHARACTERS = 2_000;

/** So many rows tell what the header is. */
const BEGINNING_ROWS = 8;

/**
 * Writes a table as groups of rows, `a | b` each, a block each, with the names of the columns above each group. A cell that
 * spans columns or rows stands in each of them, so that every value is in the column of its name. The names are in the
 * first row; also in rows below it that the file says are headers, or that divide columns with a common name. Rows with a
 * single text above it are captions.
 */
export class TableWriter {
  private readonly writer: BlockSink;
  private above: readonly PlacedCell[] = [];
  /** Until the header is known. */
  private beginning: (readonly PlacedCell[])[] | undefined = [];
  private header = '';
  private isHeaderWritten = false;
  private rows: string[] = [];
  private length = 0;

  constructor(writer: BlockSink) {
    this.writer = writer;
  }

  /**
   * Adds a row; one without text of its own is left out.
   * @param isHeader whether the file says that it has names of columns
   * @throws ExtractionFailed too_large where it has too many columns
   */
  row(cells: readonly TableCell[], isHeader = false): void {
    if (cells.length > LIMITS.columns) throw new ExtractionFailed('too_large');
    const placed = placeCells(cells, this.above, isHeader);
    this.above = placed;
    if (placed.every(({ text, isOwn }) => text === '' || !isOwn)) return;
    if (!this.beginning) this.write(lineOf(placed));
    else if (this.beginning.push(placed) === BEGINNING_ROWS) this.begin();
  }

  /** Cells of the rows above span none of those that follow. */
  endRowGroup(): void {
    this.above = [];
  }

  /** Writes what has come; more rows may follow. */
  flush(): void {
    this.begin();
    if (this.rows.length > 0 || (this.header !== '' && !this.isHeaderWritten)) this.writeGroup();
  }

  /** Writes what is left; another table may follow. */
  end(): void {
    this.flush();
    this.endRowGroup();
    this.beginning = [];
    this.header = '';
    this.isHeaderWritten = false;
  }

  private begin(): void {
    if (!this.beginning || this.beginning.length === 0) return;
    const { captions, header, rows } = readBeginning(this.beginning);
    this.beginning = undefined;
    for (const caption of captions) this.writer.add('paragraph', lineOf(caption));
    if (header.length <= HEADER_CHARACTERS) this.header = header;
    else this.write(header);
    for (const row of rows) this.write(lineOf(row));
  }

  private write(line: string): void {
    this.rows.push(line);
    this.length += line.length;
    if (this.length >= GROUP_CHARACTERS) this.writeGroup();
  }

  private writeGroup(): void {
    const lines = this.header === '' ? this.rows : [this.header, ...this.rows];
    this.writer.add('table', lines.join('\n'));
    this.isHeaderWritten = true;
    this.rows = [];
    this.length = 0;
  }
}
