import { medianOf } from '../../layout/word-metrics.js';
import { PROSE_CELL } from '../page-index.js';
import type { PageIndex, PlacedCell } from '../page-index.js';
import { detached } from '../../../platform/text/detached.js';
import { toPlace } from './candidate.js';
import type { Place } from './candidate.js';

/** A name that ends with the form of a company, and where it stands. */
export interface FoundCompany {
  readonly name: string;
  readonly place: Place;
  /** The size of its letters, and how far down the page it stands, in lines. */
  readonly size: number;
  readonly line: number;
}

const FORM = String.raw`(?:GmbH(?: & Co\.? ?KG)?|AG|KG|OHG|UG|e\.K\.|SE|Ltd\.?|Limited|LLC|Inc\.?|Corp\.?|PLC|plc|LLP|S\.?A\.?R\.?L\.?|SAS|S\.A\.S\.|SA|S\.A\.|EURL|SCI|S\.L\.U\.|S\.L\.|SL|SLU|S\u00e0rl|B\.V\.|BV|N\.V\.|NV|S\.r\.l\.|S\.p\.A\.|ApS|A\/S|AB|Oy|S\.C\.)`;
const NAME_WORD = String.raw`(?:[\p{Lu}\p{N}][\p{L}\p{N}&.'’\/-]{0,40}|&|und|and|et|y|de|du|des|la|le|del|van|von|der|f\u00fcr|of|the|\+)`;
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[\p{Lu}\p{N}][\p{L}\p{N}&.'’\/-]{0,40}(?: ${NAME_WORD}){0,7}? ${FORM}(?![\p{L}\p{N}])`,
  'gu',
);

/** A page's companies beyond these are not looked at. */
const MOST = 40;

/** A line that is so much larger than most of its page is a heading. */
const LARGE = 1.25;
/** A name has so many units at most. */
const LONGEST_NAME = 60;

/** Further down a page there are no headings with names. */
const HEADING_LINES = 20;

/** What a page says in large letters, where it may be the name of who has written it. @param rows lines that belong to tables */
export function findHeadings(page: PageIndex, rows: ReadonlySet<number>): FoundCompany[] {
  const usual = medianOf(page.cells.map(({ size }) => size));
  return page.cells
    .filter(({ line }) => line < HEADING_LINES && !rows.has(line))
    .filter(({ size, start, end }) => size >= usual * LARGE && end - start <= LONGEST_NAME)
    .filter((cell) => /^[^\d:]*\p{L}{2}[^\d:]*\s[^\d:]*\p{L}{2}[^\d:]*$/u.test(page.textOf(cell)))
    .slice(0, MOST)
    .map((cell) => ({
      name: detached(page.textOf(cell).replaceAll(/\s+/g, ' ')),
      place: toPlace(page, cell.start, cell.end, cell.words),
      size: cell.size,
      line: cell.line,
    }));
}

/** The companies that a page names, in the order of its text. */
export function findCompanies(page: PageIndex): FoundCompany[] {
  const companies: FoundCompany[] = [];
  for (const [index, cell] of page.cells.entries()) {
    const next = page.cells[index + 1];
    // A name may go on in the next line of prose.
    const isLong = cell.end - cell.start > PROSE_CELL;
    const isWrapped = isLong && next !== undefined && isSameBlock(page, cell, next) && next.line > cell.line;
    const end = isWrapped && next ? Math.min(next.end, next.start + 60) : cell.end;
    const text = page.textOf({ start: cell.start, end: Math.min(end, cell.start + 600) });
    for (const { 0: name, index: at } of text.matchAll(COMPANY)) {
      const [start, last] = [cell.start + at, cell.start + at + name.length];
      if (start >= cell.end) break;
      const place = toPlace(page, start, last, [...cell.words, ...(last > cell.end && next ? next.words : [])]);
      companies.push({ name: detached(name.replaceAll(/\s+/g, ' ')), place, size: cell.size, line: cell.line });
      if (companies.length >= MOST) return companies;
    }
  }
  return companies;
}

function isSameBlock(page: PageIndex, cell: PlacedCell, next: PlacedCell): boolean {
  const block = page.blockAt(cell.start);
  return block !== undefined && next.start < block.end;
}
