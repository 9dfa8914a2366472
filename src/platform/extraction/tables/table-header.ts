import { joined, lineOf } from './table-cell.js';
import type { PlacedCell } from './table-cell.js';

type Row = readonly PlacedCell[];

/** What the first rows of a table are. */
export interface TableBeginning {
  /** Above the names of the columns. */
  readonly captions: readonly Row[];
  /** The names of the columns, in one line. */
  readonly header: string;
  readonly rows: readonly Row[];
}

/** An amount or the like, which is no name of a column; a year may be one. */
const VALUE = /^(?!(?:19|20)\d\d$)[^\p{L}]*\d[^\p{L}]*$/u;

/** Tells the header of a table by its first rows. */
export function readBeginning(first: readonly Row[]): TableBeginning {
  const captions = countCaptions(first);
  const rest = first.slice(captions);
  let height = Math.min(1, rest.length);
  while (height < rest.length && continuesHeader(rest[height - 1] as Row, rest[height] as Row)) height += 1;
  return { captions: first.slice(0, captions), header: toHeader(rest.slice(0, height)), rows: rest.slice(height) };
}

/** How many rows with a single text stand above the first one with several, none of them at the right of its beginning. */
function countCaptions(first: readonly Row[]): number {
  const count = first.findIndex((row) => textsIn(row) > 1);
  const start = beginningOf(first[count]);
  return first.slice(0, Math.max(0, count)).every((row) => beginningOf(row) <= start) ? Math.max(0, count) : 0;
}

/** Whether a row has names of columns, too: the file says so, or it divides columns that have one name in the row above. */
function continuesHeader(above: Row, row: Row): boolean {
  if (isHeader(above) && isHeader(row)) return true;
  let divides = false;
  for (const [column, { text, isOwn }] of row.entries()) {
    const { isWide = false, text: name = '' } = above[column] ?? {};
    const isNew = isOwn && text !== '';
    if (isNew && VALUE.test(text)) return false;
    if (isNew && !isWide && name !== '') return false;
    divides ||= isNew && isWide;
  }
  return divides;
}

function toHeader(rows: readonly Row[]): string {
  const [only] = rows;
  if (rows.length === 1 && only) return lineOf(only);
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const names = Array.from({ length: columns }, (_, column) => {
    const texts = rows.map((row) => row[column]?.text ?? '');
    return texts.filter((text, index) => text !== '' && text !== texts[index - 1]).join(' ');
  });
  return joined(names);
}

function isHeader(row: Row): boolean {
  return row.some((cell) => cell.isHeader);
}

function textsIn(row: Row): number {
  return row.filter(({ text, isOwn }) => isOwn && text !== '').length;
}

function beginningOf(row: Row = []): number {
  return row.findIndex(({ text }) => text !== '');
}
