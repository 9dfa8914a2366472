import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { TableCell } from './table-cell.js';
import { TableWriter } from './table-writer.js';
import type { BlockSink } from './table-writer.js';

/** What a file says of a cell, but its text. */
export type CellSpan = Omit<TableCell, 'text'>;

/** What a file says of a row. */
interface RowSettings {
  isHeader?: boolean;
  /** It is not of the document any more. */
  isDeleted?: boolean;
}

type Block = Parameters<BlockSink['add']>;

/** A table that is open. */
interface OpenTable {
  readonly writer: TableWriter;
  /** Outside of cells. */
  caption: string;
  row: RowSettings;
  cells: TableCell[];
  cell: { text: string; span: CellSpan } | undefined;
  /** Of the tables in cells of the row. */
  inner: Block[];
}

/**
 * Makes tables of what a parser meets, whatever the format. A table within a cell is one of its own behind the row that it
 * stands in.
 */
export class TableReader {
  private readonly writer: BlockSink;
  private readonly open: OpenTable[] = [];
  private characters = 0;

  constructor(writer: BlockSink) {
    this.writer = writer;
  }

  /** How many tables are open in one another. */
  get depth(): number {
    return this.open.length;
  }

  openTable(): void {
    const outer = this.open.at(-1);
    const sink: BlockSink = outer ? { add: (...block) => this.keep(outer, block) } : this.writer;
    this.open.push({
      writer: new TableWriter(sink),
      caption: '',
      row: {},
      cells: [],
      cell: undefined,
      inner: [],
    });
  }

  /** A row, which ends one that is open. */
  openRow(settings: RowSettings = {}): void {
    this.closeRow();
    this.set(settings);
  }

  /** Says more of the row that is open. */
  set(settings: RowSettings): void {
    const table = this.open.at(-1);
    if (table) Object.assign(table.row, settings);
  }

  /** A cell, which ends one that is open. */
  openCell(span: CellSpan = {}): void {
    const table = this.open.at(-1);
    if (!table) return;
    this.closeCell();
    this.closeCaption();
    if (table.cells.length >= LIMITS.columns) throw new ExtractionFailed('too_large');
    table.cell = { text: '', span };
  }

  /** Says more of the cell that is open. */
  setSpan(span: CellSpan): void {
    const cell = this.open.at(-1)?.cell;
    if (cell) cell.span = { ...cell.span, ...span };
  }

  /** Adds text to the cell that is open; outside of cells it is the table's caption. @throws ExtractionFailed too_large */
  write(text: string): void {
    const table = this.open.at(-1);
    if (!table) return;
    this.count(text);
    if (table.cell) table.cell.text += text;
    else table.caption += text;
  }

  closeCell(): void {
    const table = this.open.at(-1);
    if (!table?.cell) return;
    const { text, span } = table.cell;
    table.cells.push({ ...span, text });
    table.cell = undefined;
  }

  closeRow(): void {
    const table = this.open.at(-1);
    if (!table) return;
    this.closeCell();
    this.closeCaption();
    const { writer, cells, row, inner } = table;
    if (cells.length > 0 && !row.isDeleted) writer.row(cells, row.isHeader);
    if (inner.length > 0) writer.flush();
    if (!row.isDeleted) for (const block of inner) this.give(block);
    [table.cells, table.row, table.inner] = [[], {}, []];
    if (this.depth === 1) this.characters = 0;
  }

  /** Cells of the rows above span none of those that follow. */
  endRowGroup(): void {
    this.closeRow();
    this.open.at(-1)?.writer.endRowGroup();
  }

  closeTable(): void {
    this.closeRow();
    this.open.pop()?.writer.end();
  }

  /** Ends what the file has left open. */
  end(): void {
    while (this.depth > 0) this.closeTable();
  }

  private closeCaption(): void {
    const table = this.open.at(-1);
    if (!table || table.caption === '') return;
    const caption = table.caption.replace(/\s+/g, ' ').trim();
    table.caption = '';
    if (caption !== '') this.give(['paragraph', caption]);
  }

  /** Writes what stands beside the rows of the innermost table. */
  private give(block: Block): void {
    const outer = this.open.at(-2);
    if (outer) outer.inner.push(block);
    else this.writer.add(...block);
  }

  private keep(outer: OpenTable, block: Block): void {
    this.count(block[1]);
    outer.inner.push(block);
  }

  /** Counts what is in memory. */
  private count({ length }: string): void {
    this.characters += length;
    if (this.characters > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
  }
}
