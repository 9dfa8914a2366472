import type { LayoutCell, PageLayout } from '../layout/layout.types.js';
import { toLabelTokens } from './labels/label-tokens.js';
import type { LabelToken } from './labels/label-tokens.js';

/** A cell, and where it is on its page. */
export interface PlacedCell extends LayoutCell {
  readonly line: number;
  readonly column: number;
}

/** A word of the page for labels, and the cell that it stands in. */
export interface PlacedToken extends LabelToken {
  readonly cell: PlacedCell;
}

/** A cell that is longer is a line of prose, in UTF-16 units. */
export const PROSE_CELL = 40;

/** So many cells of a line are looked at, and so far below a label, in sizes of its letters. */
const MOST_COLUMNS = 64;
const BELOW = 3.5;

/** The cells and words of one page, to be asked for neighbours. */
export class PageIndex {
  /** In the order of the page's text. */
  readonly cells: readonly PlacedCell[];
  readonly tokens: readonly PlacedToken[];

  constructor(
    readonly page: PageLayout,
    /** From 0, of all pages and pieces of the document. */
    readonly index: number,
  ) {
    this.cells = page.lines
      .flatMap(({ cells }, line) => cells.map((cell, column) => ({ ...cell, line, column })))
      .sort((one, other) => one.start - other.start);
    this.tokens = this.cells.flatMap((cell) =>
      toLabelTokens(page.text.slice(cell.start, cell.end), cell.start).map((token) => ({ ...token, cell })),
    );
  }

  textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.page.text.slice(start, end);
  }

  /** Whether a word begins a cell that does not go on with the sentence of the one before. */
  readonly isBreak = (token: number): boolean => {
    const [before, cell] = [this.tokens[token - 1]?.cell, this.tokens[token]?.cell];
    if (before === undefined || cell === undefined || before === cell) return false;
    const isProse = before.end - before.start > PROSE_CELL && before.line + 1 === cell.line;
    return !isProse || cell.start >= this.blockEnd(before.start);
  };

  /** The cells to the right of another, the next one first, at most so many. */
  beside({ line, column }: PlacedCell, most: number): LayoutCell[] {
    return this.page.lines[line]?.cells.slice(column + 1, column + 1 + most) ?? [];
  }

  /** The nearest cell below another that stands at least in part under it; undefined where none is near. */
  below(cell: PlacedCell): PlacedCell | undefined {
    const { lines } = this.page;
    for (let line = cell.line + 1; line < lines.length; line += 1) {
      const { cells, top } = lines[line] as PageLayout['lines'][number];
      if (top - cell.bottom > BELOW * cell.size) return undefined;
      const column = cells.slice(0, MOST_COLUMNS).findIndex((other) => isUnder(cell, other));
      if (column >= 0) return { ...(cells[column] as LayoutCell), line, column };
    }
    return undefined;
  }

  /** Where the block of the page's text ends that a place is in. */
  blockEnd(place: number): number {
    return this.blockAt(place)?.end ?? place;
  }

  /** The block that a place of the page's text is in. */
  blockAt(place: number): PageLayout['blocks'][number] | undefined {
    const { blocks } = this.page;
    let [low, high] = [0, blocks.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const block = blocks[middle] as PageLayout['blocks'][number];
      if (place < block.start) high = middle - 1;
      else if (place >= block.end) low = middle + 1;
      else return block;
    }
    return undefined;
  }
}

function isUnder(cell: LayoutCell, other: LayoutCell): boolean {
  const overlap = Math.min(cell.right, other.right) - Math.max(cell.left, other.left);
  return overlap > 0.3 * Math.min(cell.right - cell.left, other.right - other.left);
}
