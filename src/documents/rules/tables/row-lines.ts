import type { LayoutCell, LayoutLine } from '../../layout/layout.types.js';
import { toPlace } from '../candidates/candidate.js';
import type { LabelIndex } from '../labels/label-index.js';
import { toLabelTokens } from '../labels/label-tokens.js';
import type { PageIndex } from '../page-index.js';
import { findAmounts } from '../parsers/amounts.js';
import type { FoundAmount } from '../parsers/amounts.js';
import { detached } from '../../../platform/text/detached.js';
import type { HeaderItem, RowCell, RowLine } from './table.types.js';

/** A line with more cells is none of a table that is read, nor is a cell that is longer, in UTF-16 units. */
export const MOST_CELLS = 24;
const LONGEST_CELL = 1_000;

/** So many letters may stand beside a number that is a cell, as a unit or a currency. */
const UNIT_LETTERS = 8;

/** Made once for each line of a page, however many arrays a schema has. */
const rowLines = new WeakMap<PageIndex, Map<LayoutLine, RowLine>>();

/** A line as a row; undefined where it has too few cells or too many. */
export function toRowLine(page: PageIndex, line: LayoutLine): RowLine | undefined {
  const { cells, size } = line;
  if (cells.length < 2 || cells.length > MOST_CELLS) return undefined;
  const known = rowLines.get(page) ?? new Map<LayoutLine, RowLine>();
  rowLines.set(page, known);
  const row = known.get(line) ?? { size, cells: cells.flatMap((cell) => toRowCells(page, cell)) };
  known.set(line, row);
  return row;
}

/** How many cells of a row are numbers. */
export function countNumbers({ cells }: RowLine): number {
  return cells.filter(({ amount }) => amount !== undefined).length;
}

/** A cell; where numbers of several columns stand close together, one for each. */
function toRowCells(page: PageIndex, cell: LayoutCell): RowCell[] {
  const end = Math.min(cell.end, cell.start + LONGEST_CELL);
  const text = page.textOf({ start: cell.start, end });
  const amounts = /\d\s+\S*\d/.test(text) ? findAmounts(text) : [];
  const beside = amounts.length > 1 ? text.replaceAll(/[\d.,\s'’€$£%-]+/g, '') : '';
  if (amounts.length < 2 || beside.length > UNIT_LETTERS) return [toRowCell(page, cell, cell.start, end)];
  return amounts.map(({ start }, index) => {
    const last = amounts[index + 1]?.start ?? text.length;
    return toRowCell(
      page,
      cell,
      cell.start + (index === 0 ? 0 : start),
      cell.start + text.slice(0, last).trimEnd().length,
    );
  });
}

function toRowCell(page: PageIndex, cell: LayoutCell, start: number, end: number): RowCell {
  const text = page.textOf({ start, end });
  const amount = onlyAmountOf(text);
  const words = cell.words.filter((word) => word.start < end && word.end > start);
  return {
    left: words[0]?.left ?? cell.left,
    right: words.at(-1)?.right ?? cell.right,
    text: detached(text),
    start,
    place: amount ? toPlace(page, start + amount.start, start + amount.end, words) : toPlace(page, start, end, words),
    ...(amount ? { amount: { ...amount, written: detached(amount.written) } } : {}),
  };
}

/** The number that a text is, but for its unit. */
function onlyAmountOf(text: string): FoundAmount | undefined {
  if (text.length > 40 || !/\d/.test(text)) return undefined;
  const [amount, ...others] = findAmounts(text);
  if (!amount || others.length > 0) return undefined;
  const beside = (text.slice(0, amount.start) + text.slice(amount.end)).replace(/[^\p{L}\p{N}]+/gu, '');
  return beside.length <= UNIT_LETTERS && !/\d/.test(beside) ? amount : undefined;
}

/**
 * The names of columns that a line has, and its other cells; undefined where it is no header. A cell may name two columns
 * that stand close together.
 */
export function toHeader(page: PageIndex, { cells }: LayoutLine, labels: LabelIndex): HeaderItem[] | undefined {
  if (cells.length < 2 || cells.length > MOST_CELLS) return undefined;
  const items = cells.flatMap((cell) => itemsOf(page, cell, labels));
  const named = new Set(
    items.flatMap(({ column, quality }) => (column !== undefined && quality > 0.6 ? [column] : [])),
  );
  return named.size >= 2 ? items : undefined;
}

function itemsOf(page: PageIndex, cell: LayoutCell, labels: LabelIndex): HeaderItem[] {
  const text = page.textOf(cell);
  const tokens = text.length <= 60 ? toLabelTokens(text, cell.start) : [];
  const matches = /\d/.test(text) ? [] : labels.find(tokens);
  const matched = matches.reduce((sum, { first, end }) => sum + end - first, 0);
  if (matches.length === 0 || matched < tokens.length / 2) {
    const [partial] = labels.findPartial(tokens).sort((one, other) => other.quality - one.quality);
    const column = partial && partial.quality > 0.4 ? { column: partial.target } : {};
    return [{ left: cell.left, right: cell.right, quality: partial ? 0.5 : 0, ...column }];
  }
  return matches.map(({ first, end, meanings }, index) => {
    const from = index === 0 ? cell.start : (tokens[first]?.start ?? cell.start);
    const to = index === matches.length - 1 ? cell.end : (tokens[end - 1]?.end ?? cell.end);
    const words = cell.words.filter((word) => word.start < to && word.end > from);
    const [best] = meanings.toSorted((one, other) => other.quality - one.quality);
    return {
      left: words[0]?.left ?? cell.left,
      right: words.at(-1)?.right ?? cell.right,
      quality: best?.quality ?? 0,
      ...(best ? { column: best.target } : {}),
    };
  });
}
