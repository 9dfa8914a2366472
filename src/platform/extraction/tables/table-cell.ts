import { LIMITS } from '../limits.js';

/** A cell as a file has it. */
export interface TableCell {
  readonly text: string;
  /** How many columns it spans; default: one. */
  readonly columns?: number;
  /** How many rows it spans; default: one. */
  readonly rows?: number;
  /** It goes on with the cell above it, or at its left, and has no text of its own. */
  readonly continues?: 'above' | 'left' | undefined;
}

/** What stands in one column of a row. */
export interface PlacedCell {
  readonly text: string;
  /** False: it is the text of a cell that began in another column or row. */
  readonly isOwn: boolean;
  /** Whether it is a part of a cell that spans several columns. */
  readonly isWide: boolean;
  /** Whether the file says that its row has names of columns. */
  readonly isHeader: boolean;
  /** How many rows below this one it spans. */
  readonly rowsBelow: number;
}

/** A longer text of a cell that spans several columns or rows is written once. */
const REPEATED_CHARACTERS = 200;
/** Whoever says more means the whole width of a table. */
const MOST_SPANNED = 100;

/** Puts the cells of a row into their columns. @param above the row above, as it was placed */
export function placeCells(
  cells: readonly TableCell[],
  above: readonly PlacedCell[],
  isHeader: boolean,
): readonly PlacedCell[] {
  const placed: PlacedCell[] = [];
  const carry = () => {
    for (let cell = above[placed.length]; cell && cell.rowsBelow > 0; cell = above[placed.length]) {
      placed.push({ ...repeated(cell), isHeader, rowsBelow: cell.rowsBelow - 1 });
    }
  };
  for (const cell of cells) {
    carry();
    const columns = Math.min(spanOf(cell.columns), LIMITS.columns - placed.length);
    for (let index = 0; index < columns; index += 1) {
      const before = cell.continues === 'above' ? above[placed.length] : placed.at(-1);
      if (cell.continues || index > 0) placed.push({ ...repeated(before), isHeader });
      else placed.push(toPlaced(cell, isHeader));
    }
  }
  carry();
  // Cells that span rows may stand behind those that a row leaves out.
  for (let last = above.findLastIndex(({ rowsBelow }) => rowsBelow > 0); placed.length <= last; carry()) {
    placed.push({ ...toPlaced({ text: '' }, isHeader), isOwn: false });
  }
  return placed;
}

/** A row as it is written. */
export function lineOf(row: readonly PlacedCell[]): string {
  // What stands alone is no value of each column that it spans.
  const isAlone = row.filter(({ text, isOwn }) => isOwn && text !== '').length < 2 && !row.some(isCarried);
  return joined(row.map(({ text, isOwn }) => (isAlone && !isOwn ? '' : text)));
}

/** The texts of the columns of a row. */
export function joined(texts: readonly string[]): string {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1).join(' | ');
}

function isCarried({ isOwn, isWide, text }: PlacedCell): boolean {
  return !isOwn && !isWide && text !== '';
}

function toPlaced({ text, columns, rows = 1 }: TableCell, isHeader: boolean): PlacedCell {
  const written = text.replace(/\s+/g, ' ').trim();
  return { text: written, isOwn: true, isWide: spanOf(columns) > 1 && written !== '', isHeader, rowsBelow: rows - 1 };
}

function repeated(cell: PlacedCell | undefined): PlacedCell {
  const { text = '', isWide = false, isHeader = false, rowsBelow = 0 } = cell ?? {};
  return { text: text.length > REPEATED_CHARACTERS ? '' : text, isOwn: false, isWide, isHeader, rowsBelow };
}

function spanOf(columns = 1): number {
  return columns >= 1 && columns <= MOST_SPANNED ? Math.floor(columns) : 1;
}
