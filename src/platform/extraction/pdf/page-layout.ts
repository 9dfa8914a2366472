import type { ExtractedPage } from '../extraction.types.js';
import type { FontSizes } from './font-sizes.js';
import { CELL_GAP, joinItems } from './fragments.js';
import type { Fragment } from './fragments.js';
import { PageText } from './page-text.js';
import type { PageSize } from './page-text.js';
import { readingOrder } from './reading-order.js';
import type { Region, Row } from './reading-order.js';
import type { TextItem } from './text-items.js';

/** What a list item begins with. */
const LIST_MARK = /^(?:[\u2022\u2023\u25aa\u25e6\u25cf\u2013*\u00b7-]|\d{1,3}[.)]|[a-z][.)])\s/;

/** A longer line is no heading, whatever its size, in UTF-16 units. */
const HEADING_CHARACTERS = 200;

/** A wider distance between lines, in parts of what is usual in the region, ends a paragraph. */
const PARAGRAPH_GAP = 1.35;

/** A line that begins so much further right, in parts of its size, begins a paragraph. */
const INDENT = 0.8;

/** A line that ends so near to the right edge, in parts of its size, is full. */
const FULL = 3;

/** Lines that differ more in size do not belong together. */
const SAME_SIZE = 0.13;

/** Makes the text of a page of its items: lines, paragraphs, headings, lists and tables, in reading order. */
export function layOut(
  items: readonly TextItem[],
  { number, size, sizes }: { readonly number: number; readonly size: PageSize; readonly sizes: FontSizes },
): ExtractedPage {
  const fragments = joinItems(items.filter(({ isUpright }) => isUpright));
  sizes.add(fragments);
  const text = new PageText(size);
  for (const region of fragments.length > 0 ? readingOrder(fragments) : [])
    new RegionWriter(text, sizes, region).write();
  // What is turned is not part of the order.
  const turned = items.filter(({ isUpright }) => !isUpright);
  if (turned.length > 0) text.begin('paragraph');
  for (const item of turned) text.writeLine(item.text.trim(), item);
  return text.page(number, 'text');
}

/** Writes the blocks of one region. */
class RegionWriter {
  private readonly text: PageText;
  private readonly sizes: FontSizes;
  private readonly rows: readonly Row[];
  private readonly distance: number;
  private readonly right: number;
  private before: Fragment | undefined;
  /** Of the block so far. */
  private lines = 0;
  private kind: 'heading' | 'paragraph' | 'list_item' = 'paragraph';

  constructor(text: PageText, sizes: FontSizes, { rows }: Region) {
    this.text = text;
    this.sizes = sizes;
    this.rows = rows.map(joinCells);
    this.distance = usualDistance(rows);
    this.right = Math.max(...rows.flat().map(({ right }) => right));
  }

  write(): void {
    for (let index = 0; index < this.rows.length;) {
      let end = index;
      while ((this.rows[end]?.length ?? 0) >= 2) end += 1;
      if (end - index >= 2) {
        this.writeTable(this.rows.slice(index, end));
        index = end;
      } else {
        this.writeRow(this.rows[index] as Row);
        index += 1;
      }
    }
  }

  private writeTable(rows: readonly Row[]): void {
    this.text.begin('table');
    for (const row of rows) {
      for (const [index, cell] of row.entries()) this.text.write(cell.text, cell, index === 0 ? '\n' : ' | ');
    }
    this.before = undefined;
  }

  private writeRow(row: Row): void {
    const line = row[0] as Fragment;
    const level = line.text.length <= HEADING_CHARACTERS ? this.sizes.headingLevel(line.size) : undefined;
    const kind = level !== undefined ? 'heading' : LIST_MARK.test(line.text) ? 'list_item' : undefined;
    if (this.isContinued(line, kind)) this.text.writeLine(line.text, line);
    else {
      this.kind = kind ?? 'paragraph';
      this.lines = 0;
      this.text.begin(this.kind, level ?? (kind === 'list_item' ? 1 : undefined));
      this.text.write(line.text, line, '');
    }
    for (const cell of row.slice(1)) this.text.write(cell.text, cell, ' ');
    this.before = row.length > 1 ? { ...line, right: (row.at(-1) as Fragment).right } : line;
    this.lines += 1;
  }

  /** Whether a line belongs to the block of the line before it. */
  private isContinued(line: Fragment, kind: 'heading' | 'list_item' | undefined): boolean {
    const { before } = this;
    if (!before || kind === 'list_item' || (kind === 'heading') !== (this.kind === 'heading')) return false;
    if (Math.abs(line.size - before.size) > before.size * SAME_SIZE) return false;
    const distance = line.baseline - before.baseline;
    if (distance > Math.max(this.distance, line.size) * PARAGRAPH_GAP) return false;
    const shift = (line.left - before.left) / line.size;
    // Behind a line that is full, as in a list whose marks stand out, more of it may be indented.
    if (shift > INDENT) return this.kind === 'list_item' || before.right >= this.right - FULL * line.size;
    // Further left than its second line a block has only its first one, or it is the next block that begins.
    return shift >= -INDENT || this.lines === 1;
  }
}

/** What is only a little apart, such as a footnote's mark, is one cell. */
function joinCells(row: Row): Row {
  const cells: Fragment[] = [];
  for (const fragment of row) {
    const last = cells.at(-1);
    if (last && fragment.left - last.right <= CELL_GAP * Math.max(last.size, fragment.size)) {
      const blank = fragment.left - last.right > 0.15 * fragment.size ? ' ' : '';
      cells[cells.length - 1] = {
        ...last,
        text: `${last.text}${blank}${fragment.text}`,
        // A list's mark says nothing of its text.
        size: fragment.text.length > last.text.length ? fragment.size : last.size,
        right: Math.max(last.right, fragment.right),
        bottom: Math.max(last.bottom, fragment.bottom),
        parts: [...last.parts, ...moved(fragment.parts, last.text.length + blank.length)],
      };
    } else cells.push(fragment);
  }
  return cells;
}

function moved(parts: Fragment['parts'], by: number): Fragment['parts'] {
  return parts.map((part) => ({ ...part, start: part.start + by, end: part.end + by }));
}

/** The median distance of lines below each other. */
function usualDistance(rows: readonly Row[]): number {
  const baselines = rows.map(([first]) => (first as Fragment).baseline);
  const distances = baselines.slice(1).map((baseline, index) => baseline - (baselines[index] as number));
  return distances.toSorted((one, other) => one - other)[distances.length >> 1] ?? 0;
}
