import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { PieceWriter } from '../piece-writer.js';
import { TableWriter } from '../tables/table-writer.js';
import { columnOf } from './merged-cells.js';
import type { MergedCells } from './merged-cells.js';
import { formatSerialDate } from './spreadsheet-dates.js';
import type { Attributes, XmlHandler } from './xml-reader.js';

/** What the cells of a workbook have in common. */
export interface Workbook {
  readonly strings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly startsIn1904: boolean;
}

/** Makes rows of the cells of a sheet. Of a formula its last value is read, nothing is computed. */
export class SheetRows implements XmlHandler {
  private readonly writer: PieceWriter;
  private readonly table: TableWriter;
  private readonly workbook: Workbook;
  private readonly merged: MergedCells;
  private cells: string[] = [];
  private row = -1;
  private column = 0;
  private type = '';
  private style = 0;
  private value = '';
  private isValue = false;

  constructor(writer: PieceWriter, workbook: Workbook, merged: MergedCells) {
    this.writer = writer;
    this.workbook = workbook;
    this.merged = merged;
    this.table = new TableWriter(writer);
  }

  open(name: string, { r = '', t = 'n', s = '0' }: Attributes): void {
    if (name === 'row') this.row = /^\d{1,7}$/.test(r) ? Number(r) - 1 : this.row + 1;
    else if (name === 'c') {
      this.column = columnIn(r) ?? this.cells.length;
      if (this.column >= LIMITS.columns) throw new ExtractionFailed('too_large');
      [this.type, this.style, this.value] = [t, Number(s), ''];
    } else if (name === 'v' || name === 't') this.isValue = true;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.isValue = false;
    else if (name === 'c') this.writeCell();
    else if (name === 'row') {
      this.table.row(this.merged.cellsOf(this.row, this.cells));
      this.cells = [];
    }
  }

  text(text: string): void {
    if (!this.isValue) return;
    this.value += text;
    if (this.value.length > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
  }

  pause(): Promise<void> {
    return this.writer.flush();
  }

  end(): void {
    this.table.end();
  }

  private writeCell(): void {
    while (this.cells.length < this.column) this.cells.push('');
    this.cells[this.column] = this.cellText();
  }

  private cellText(): string {
    const { value, workbook } = this;
    if (this.type === 's') return workbook.strings[Number(value)] ?? '';
    if (this.type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (this.type !== 'n' || value === '') return value;
    const number = Number(value);
    if (Number.isNaN(number)) return value;
    return workbook.dateStyles.has(this.style) ? formatSerialDate(number, workbook.startsIn1904) : String(number);
  }
}

/** `B7` is 1; undefined where a cell does not say where it is. */
function columnIn(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  return letters ? columnOf(letters) : undefined;
}
