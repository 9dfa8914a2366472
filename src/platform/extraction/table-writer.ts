import { ExtractionFailed } from './extraction-failed.js';
import { LIMITS } from './limits.js';
import type { PieceWriter } from './piece-writer.js';

/** About how long a group of rows is, in UTF-16 units, without its header. */
const GROUP_CHARACTERS = 2_000;

/** The longest header that is repeated, and the longest cell; the rest of a longer one is its own block. */
const HEADER_CHARACTERS = 2_000;

/** Writes a table as groups of rows, `a | b` each, a block each; the first row is written above each group. */
export class TableWriter {
  private readonly writer: PieceWriter;
  private header: string | undefined;
  private rows: string[] = [];
  private length = 0;

  constructor(writer: PieceWriter) {
    this.writer = writer;
  }

  /** Adds a row; one without text is left out. @throws ExtractionFailed too_large where it has too many columns */
  row(cells: readonly string[]): void {
    if (cells.length > LIMITS.columns) throw new ExtractionFailed('too_large');
    const texts = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    while (texts.at(-1) === '') texts.pop();
    if (texts.length === 0) return;
    const line = texts.join(' | ');
    if (this.header === undefined) {
      this.header = line.length <= HEADER_CHARACTERS ? line : '';
      if (this.header !== '') return;
    }
    this.rows.push(line);
    this.length += line.length;
    if (this.length >= GROUP_CHARACTERS) this.writeGroup();
  }

  /** Writes what is left. */
  end(): void {
    if (this.rows.length > 0) this.writeGroup();
    // A table of one row.
    else if (this.header !== undefined && !this.hasGroups) this.writer.add('table', this.header);
    this.header = undefined;
    this.hasGroups = false;
  }

  private hasGroups = false;

  private writeGroup(): void {
    const lines = this.header ? [this.header, ...this.rows] : this.rows;
    this.writer.add('table', lines.join('\n'));
    this.hasGroups = true;
    this.rows = [];
    this.length = 0;
  }
}
