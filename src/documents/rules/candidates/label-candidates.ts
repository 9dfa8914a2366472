import type { LayoutCell } from '../../layout/layout.types.js';
import type { LabelIndex, LabelMatch, LabelMeaning } from '../labels/label-index.js';
import { PROSE_CELL } from '../page-index.js';
import type { PageIndex, PlacedCell, PlacedToken } from '../page-index.js';
import type { Relation } from '../rules.types.js';
import type { Target } from '../targets.js';
import { readJudgedValues } from '../values/read-values.js';
import type { Shape } from '../values/shape.js';
import { LONGEST_QUOTE, toPlace } from './candidate.js';
import type { Candidate } from './candidate.js';

/** What each way to stand to a label is worth. */
const WORTH: Readonly<Record<Relation, number>> = {
  behind: 1,
  beside: 0.97,
  below: 0.9,
  sentence: 0.85,
  row: 1,
  none: 0.3,
};

/** Labels of a page beyond these are not looked at, nor are more fields that one may stand for. */
const MOST_LABELS = 300;
const MOST_MEANINGS = 20;

/** A sentence is looked at so far behind a label, in UTF-16 units. */
const SENTENCE = 200;
/** So near stands what a single word within a sentence says. */
const NEAR = 40;
/** A block of the text that is longer is prose, in UTF-16 units. */
const PROSE = 120;
/** A cell that is longer is no label, in UTF-16 units. */
const LABEL_UNITS = 60;

/** How the last words of a sentence end, but no label, as `Nr.` does. */
const SENTENCE_END = /^\p{Ll}.*\.$|\p{L}{5}\.$/u;

/** The title of a section: `§ 4 Notice.`, `Article 2. Term.`. */
const SECTION =
  /^(?:§ ?\d{1,3}|(?:Article|Art\.|Artikel|Artículo|Section|Clause) \d{1,3}\.?|\d{1,3}(?:\.\d{1,2})*\.|[IVX]{1,5}\.|\p{Lu}\p{Ll}{2,9}\.) ?\p{Lu}[\p{L} ]{2,30}\./u;

/** A label where it stands. */
interface Hit {
  readonly meanings: readonly LabelMeaning[];
  readonly cell: PlacedCell;
  readonly start: number;
  readonly end: number;
  /** Where the next label begins, or its cell ends. */
  readonly regionEnd: number;
  readonly words: number;
  readonly isAtStart: boolean;
  readonly coversCell: boolean;
}

/** One field, as it is looked for. */
export interface Sought {
  readonly target: Target;
  readonly shape: Shape;
}

/**
 * Finds values beside, below and behind the labels of a page.
 * @param found takes each, with the place of its field
 * @param rows the lines that belong to tables: what is below their headers is no value of a label that only may be one
 */
export function findByLabels(
  page: PageIndex,
  labels: LabelIndex,
  sought: readonly Sought[],
  found: (target: number, candidate: Candidate) => void,
  rows: ReadonlySet<number> = new Set(),
): void {
  const hits = findHits(page, labels);
  const labelCells = new Set(hits.filter((hit) => isOwn(page, hit)).map(({ cell }) => cell.start));
  for (const hit of [...hits, ...findPartialHits(page, labels, hits, rows)].slice(0, MOST_LABELS)) {
    for (const meaning of hit.meanings.slice(0, MOST_MEANINGS)) {
      const field = sought[meaning.target] as Sought;
      for (const region of regionsOf(page, hit, field.shape, labelCells)) {
        const candidate = readRegion(page, field, meaning, region);
        if (candidate) found(meaning.target, candidate);
      }
    }
  }
}

interface Region {
  readonly relation: Relation;
  readonly start: number;
  readonly end: number;
  readonly cells: readonly LayoutCell[];
  /** What it is worth, beside its relation. */
  readonly worth: number;
}

function readRegion(
  page: PageIndex,
  { target, shape }: Sought,
  { source, quality }: LabelMeaning,
  { relation, start, end, cells, worth }: Region,
): Candidate | undefined {
  const text = page.textOf({ start, end: Math.min(end, start + LONGEST_QUOTE) });
  const [raw] = readJudgedValues(target, shape, text, relation === 'sentence');
  if (!raw) return undefined;
  // A text that brings its own label is the value of that.
  const isOther = relation !== 'behind' && shape === 'text' && /^[^:]{2,30}:\s/.test(text) ? 0.5 : 1;
  const gap = text.slice(0, raw.start).replace(/[^\p{L}\p{N}]+/gu, '').length;
  const score = quality * WORTH[relation] * worth * isOther * nearness(gap, relation);
  const words = cells.length === 1 ? (cells[0] as LayoutCell).words : cells.flatMap((cell) => cell.words);
  return {
    raw,
    place: toPlace(page, start + raw.start, start + raw.end, words),
    relation,
    label: source,
    labelQuality: quality,
    score,
  };
}

/** What stands between a label and a value makes it doubtful. @param gap its letters and digits */
function nearness(gap: number, relation: Relation): number {
  if (gap === 0) return 1;
  return relation === 'sentence' ? Math.max(0.7, 0.95 - gap / 100) : Math.max(0.5, 0.95 - gap / 40);
}

function* regionsOf(page: PageIndex, hit: Hit, shape: Shape, labelCells: ReadonlySet<number>): Generator<Region> {
  const { cell, end, regionEnd, coversCell } = hit;
  const rest = page.textOf({ start: end, end: regionEnd });
  const block = page.blockAt(cell.start);
  const isLong = cell.end - cell.start > PROSE_CELL;
  const isAlone = !coversCell && page.page.lines[cell.line]?.cells.length === 1;
  const isInProse = block !== undefined && block.end - block.start > PROSE && (isLong || isAlone);
  const isProse = block?.kind !== 'table' && (isInProse || (isLong && !hit.isAtStart));
  if (block && isProse && !/^\s*:/.test(rest)) {
    const isWeak = hit.words < 2 && !hit.isAtStart;
    if (hit.words < 2 && shape === 'text') return;
    // A block that does not end a sentence goes on in the next one.
    const goesOn = !/[.:;!?]$/.test(page.textOf({ start: block.end - 1, end: block.end }));
    const last = Math.min(goesOn ? page.blockEnd(block.end + 2) : block.end, end + (isWeak ? NEAR : SENTENCE));
    const cells = cellsBetween(page, end, last);
    yield { relation: 'sentence', start: end, end: last, cells, worth: isWeak ? 0.75 : 1 };
    return;
  }
  const isSetOff = /^\s*[:#=]/.test(rest) || hit.words >= 3 || shape !== 'text';
  if (/[\p{L}\p{N}]/u.test(rest) && isSetOff) {
    yield { relation: 'behind', start: end, end: regionEnd, cells: [cell], worth: hit.isAtStart ? 1 : 0.92 };
  }
  if (!coversCell) return;
  const [next, second] = page.beside(cell, 2);
  const isHeader = next !== undefined && labelCells.has(next.start);
  if (next && !isHeader) yield { relation: 'beside', start: next.start, end: next.end, cells: [next], worth: 1 };
  if (next && !isHeader && second && shape !== 'text' && !labelCells.has(second.start)) {
    yield { relation: 'beside', start: second.start, end: second.end, cells: [second], worth: 0.85 };
  }
  const below = page.below(cell);
  if (below && !labelCells.has(below.start)) {
    // Under the names of columns stand their values; under one that has its own value beside it, mostly another label.
    const worth = isHeader || !next ? 1 : 0.85;
    yield { relation: 'below', start: below.start, end: below.end, cells: [below], worth };
  }
}

/** Whether a cell is a label, or begins with one that has its value behind it. */
function isOwn(page: PageIndex, { cell, start, end, coversCell, words }: Hit): boolean {
  if (coversCell) return true;
  const isFirst = !/[\p{L}\p{N}]/u.test(page.textOf({ start: cell.start, end: start }));
  return isFirst && (words > 1 || /^\s?[:#=]/.test(page.textOf({ start: end, end: end + 2 })));
}

/** The cells of a stretch of the text. */
function cellsBetween({ cells }: PageIndex, start: number, end: number): LayoutCell[] {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cells[middle] as LayoutCell).end <= start) low = middle + 1;
    else high = middle;
  }
  const found: LayoutCell[] = [];
  for (; low < cells.length && (cells[low] as LayoutCell).start < end; low += 1) found.push(cells[low] as LayoutCell);
  return found;
}

function findHits(page: PageIndex, labels: LabelIndex): Hit[] {
  const { tokens } = page;
  const matches = labels.find(tokens, page.isBreak);
  return matches.slice(0, MOST_LABELS).flatMap((match, index) => {
    const next = matches[index + 1];
    const hit = toHit(page, match, next && (tokens[next.first] as PlacedToken));
    return hit ? [hit] : [];
  });
}

function toHit(page: PageIndex, { first, end, meanings }: LabelMatch, next: PlacedToken | undefined): Hit | undefined {
  const [begin, last] = [page.tokens[first] as PlacedToken, page.tokens[end - 1] as PlacedToken];
  const { cell } = last;
  const words = end - first;
  const isAtStart = begin.cell !== cell || !/\p{L}/u.test(page.textOf({ start: cell.start, end: begin.start }));
  const behind = page.textOf({ start: last.end, end: Math.min(cell.end, last.end + 3) });
  // A word in the middle of a line is no label, if nothing sets it off; in a sentence it may be.
  const isProse = cell.end - cell.start > PROSE_CELL;
  if (!isAtStart && words < 2 && !isProse && !/^\s?[:#=]/.test(behind)) return undefined;
  const coversCell = isAtStart && !/[\p{L}\p{N}]/u.test(page.textOf({ start: last.end, end: cell.end }));
  // The last words of a sentence are none either; `Nr.` and the like are no sentences' ends.
  if (coversCell && !isProse && SENTENCE_END.test(page.textOf({ start: begin.start, end: cell.end }))) return undefined;
  const regionEnd = next?.cell === cell ? next.start : cell.end;
  return {
    meanings,
    cell,
    start: begin.start,
    end: last.end,
    regionEnd,
    words,
    isAtStart,
    coversCell,
  };
}

/** Cells that look like labels, and have words of some: what no label is known for may be found so. */
function findPartialHits(page: PageIndex, labels: LabelIndex, hits: readonly Hit[], rows: ReadonlySet<number>): Hit[] {
  const known = new Set(hits.map(({ cell }) => cell.start));
  const partial: Hit[] = [];
  for (let first = 0; first < page.tokens.length && partial.length < MOST_LABELS;) {
    const { cell } = page.tokens[first] as PlacedToken;
    let end = first + 1;
    while (page.tokens[end]?.cell === cell) end += 1;
    const tokens = page.tokens.slice(first, end);
    first = end;
    const text = page.textOf(cell).slice(0, LABEL_UNITS + 1);
    // The title of a section, as `§ 4 Notice.`, says what it is about.
    const section = SECTION.exec(text)?.[0].length;
    const colon = section === undefined ? text.indexOf(':') : section - 1;
    const coversCell = colon < 0 ? text.length <= LABEL_UNITS && !/\d{3}/.test(text) : colon === text.length - 1;
    if (known.has(cell.start) || rows.has(cell.line) || (colon < 0 && !coversCell)) continue;
    const last = coversCell ? cell.end : cell.start + colon;
    const own = tokens.filter((token) => token.start < last);
    const meanings = labels.findPartial(own);
    if (meanings.length === 0) continue;
    meanings.sort((one, other) => other.quality - one.quality);
    const hit = { meanings, cell, start: cell.start, end: last, regionEnd: cell.end, words: own.length };
    partial.push({ ...hit, isAtStart: true, coversCell });
  }
  return partial;
}
