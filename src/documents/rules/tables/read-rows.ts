import type { Conventions } from '../conventions.js';
import type { Target } from '../targets.js';
import type { Concept } from '../labels/lexicon.js';
import { judged, readJudgedValues } from '../values/read-values.js';
import type { RawValue } from '../values/raw-value.js';
import type { Shape } from '../values/shape.js';
import type { Column } from './columns.js';
import { columnsOf } from './columns.js';
import { findProduct, isProduct, numbersOf } from './row-arithmetic.js';
import type { Product } from './row-arithmetic.js';
import type { RowBlock, RowCell } from './table.types.js';

/** A field of a row, and the cell that has it. */
export interface RowValue {
  readonly cell: RowCell;
  readonly raw: RawValue;
  /** Whether the header names the column, and how well. */
  readonly headerQuality: number;
  /** Undefined: quantity × price = amount says nothing of it. */
  readonly isProduct?: boolean;
}

/** The rows of an array, field by field, and the sum of their amounts. */
export interface ReadTable {
  readonly rows: readonly ReadonlyMap<number, RowValue>[];
  /** Undefined: there are no amounts. */
  readonly sum?: number;
}

const ROLES: Readonly<Partial<Record<Concept, 'quantity' | 'price' | 'amount'>>> = {
  quantity: 'quantity',
  unitPrice: 'price',
  lineAmount: 'amount',
};

/** What the columns of an array are. */
export interface SoughtColumns {
  readonly targets: readonly Target[];
  readonly shapes: readonly Shape[];
}

type Mapping = ReadonlyMap<number, { readonly column: Column; readonly headerQuality: number }>;

/** Reads the block that is the array's, in small steps: by its header and by its arithmetic; undefined where none is. */
export function* readRows(
  blocks: readonly RowBlock[],
  sought: SoughtColumns,
  conventions: Conventions,
): Generator<void, ReadTable | undefined> {
  let best: { readonly table: ReadTable; readonly worth: number } | undefined;
  for (const block of blocks) {
    const read = yield* readBlock(block, sought, conventions);
    if (read && read.worth > (best?.worth ?? 0)) best = read;
  }
  return best?.table;
}

function* readBlock(
  block: RowBlock,
  sought: SoughtColumns,
  conventions: Conventions,
): Generator<void, { readonly table: ReadTable; readonly worth: number } | undefined> {
  const columns = columnsOf(block);
  yield;
  const { targets } = sought;
  const roleOf = (column: Column) => {
    const target = column.header?.column;
    return target === undefined ? undefined : ROLES[targets[target]?.concept as Concept];
  };
  const isReckoned = targets.some(({ concept }) => concept !== undefined && ROLES[concept] === 'amount');
  const product = isReckoned
    ? findProduct(columns, block.rows.length, conventions.decimal, (column, role) => {
        const named = roleOf(column);
        return named === undefined ? 0 : named === role ? 1 : -0.5;
      })
    : undefined;
  const mapping = mapColumns(columns, sought, product);
  const named = [...mapping.values()].filter(({ headerQuality }) => headerQuality > 0).length;
  if (mapping.size < 2 || (!product && named < 2)) return undefined;
  const rows = yield* rowsOf(block, mapping, sought, product, conventions);
  if (rows.length === 0) return undefined;
  const sum = product ? sumOf(rows, targets, conventions) : undefined;
  const worth = rows.length * (mapping.size + (product ? 4 * product.share : 0)) + named;
  return { table: { rows, ...(sum === undefined ? {} : { sum }) }, worth };
}

/** Which column each field is in: by the arithmetic, then by the header, and the words for what they are of. */
function mapColumns(columns: readonly Column[], { targets, shapes }: SoughtColumns, product?: Product): Mapping {
  const mapping = new Map<number, { readonly column: Column; readonly headerQuality: number }>();
  const taken = new Set<Column>();
  const map = (target: number, column: Column) => {
    const isNamed = column.header?.column === target;
    mapping.set(target, { column, headerQuality: isNamed ? (column.header?.quality ?? 0) : 0 });
    taken.add(column);
  };
  for (const [index, { concept }] of targets.entries()) {
    const role = concept && ROLES[concept];
    if (product && role) map(index, product[role]);
  }
  if (product) for (const column of [product.quantity, product.price, product.amount]) taken.add(column);
  for (const column of columns) {
    const target = column.header?.column;
    if (target === undefined || mapping.has(target) || taken.has(column)) continue;
    const isNumber = column.numbers >= 0.5;
    const fits = shapes[target] === 'number' ? isNumber : shapes[target] !== 'text' || !isNumber;
    if (fits) map(target, column);
  }
  const text = targets.findIndex(({ concept }, index) => concept === 'description' && !mapping.has(index));
  const widest = product && text >= 0 ? widestText(columns.filter((column) => !taken.has(column))) : undefined;
  if (widest) map(text, widest);
  return mapping;
}

function widestText(columns: readonly Column[]): Column | undefined {
  let best: Column | undefined;
  let most = 3;
  for (const column of columns) {
    if (column.numbers > 0.5) continue;
    const texts = [...column.cells.values()].slice(0, 40).map(({ text }) => text.replace(/[^\p{L}]+/gu, '').length);
    const length = texts.reduce((sum, letters) => sum + letters, 0) / Math.max(1, texts.length);
    if (length > most) [best, most] = [column, length];
  }
  return best;
}

function* rowsOf(
  block: RowBlock,
  mapping: Mapping,
  { targets, shapes }: SoughtColumns,
  product: Product | undefined,
  conventions: Conventions,
): Generator<void, ReadonlyMap<number, RowValue>[]> {
  const numbers =
    product &&
    [product.quantity, product.price, product.amount].map((column) =>
      numbersOf(column, block.rows.length, conventions.decimal),
    );
  const strip = ordinalsIn(mapping, targets, block.rows.length);
  const rows: ReadonlyMap<number, RowValue>[] = [];
  for (let row = 0; row < block.rows.length; row += 1) {
    yield;
    const factors = numbers?.map((values) => values[row] ?? Number.NaN);
    const isMissing = factors?.filter(Number.isNaN).length ?? 0;
    // Of a scan the amount may be illegible; elsewhere a line without one is no row.
    const isScan = block.rows[row]?.cells[0]?.place.origin === 'ocr';
    if (isMissing > 1 || (!isScan && factors && Number.isNaN(factors[2]))) continue;
    const isRight = factors && isMissing === 0 ? isProduct(factors[0]!, factors[1]!, factors[2]!) : undefined;
    const values = new Map<number, RowValue>();
    for (const [index, { column, headerQuality }] of mapping) {
      const cell = column.cells.get(row);
      const target = targets[index] as Target;
      const lead =
        cell && target.concept === 'description' && strip ? /^\d{1,4}[.)]?\s+/.exec(cell.text)?.[0].length : 0;
      const raw = cell && readCell(target, shapes[index] as Shape, cell, lead ?? 0);
      if (!cell || !raw) continue;
      const isReckoned = target.concept !== undefined && ROLES[target.concept] !== undefined && product !== undefined;
      values.set(index, {
        cell,
        raw,
        headerQuality,
        ...(isReckoned && isRight !== undefined ? { isProduct: isRight } : {}),
      });
    }
    const least = product && isRight ? 2 : Math.max(2, Math.ceil(mapping.size * 0.6));
    if (values.size >= least) rows.push(values);
  }
  return rows;
}

function readCell(target: Target, shape: Shape, { text, amount }: RowCell, lead: number): RawValue | undefined {
  if (shape === 'number' && amount) {
    return judged(target, shape, { start: amount.start, end: amount.end, amount }, text);
  }
  const [raw] = readJudgedValues(target, shape, text.slice(lead), false);
  return raw && { ...raw, start: raw.start + lead, end: raw.end + lead };
}

/** Whether descriptions begin with the numbers of their rows, which stand too near to be a column. */
function ordinalsIn(mapping: Mapping, targets: readonly Target[], rows: number): boolean {
  const index = targets.findIndex(({ concept }) => concept === 'description');
  const cells = mapping.get(index)?.column.cells;
  if (!cells) return false;
  // Of one row nothing rises: it is the first.
  if (rows === 1) return /^0{0,3}1[.)]?\s/.test(cells.get(0)?.text ?? '');
  let [before, rising] = [-1, 0];
  for (const { text } of cells.values()) {
    const ordinal = Number(/^(\d{1,4})[.)]?\s/.exec(text)?.[1] ?? Number.NaN);
    if (ordinal > before) rising += 1;
    if (!Number.isNaN(ordinal)) before = ordinal;
  }
  return rising >= cells.size * 0.8;
}

function sumOf(
  rows: readonly ReadonlyMap<number, RowValue>[],
  targets: readonly Target[],
  { decimal }: Conventions,
): number | undefined {
  const index = targets.findIndex(({ concept }) => concept === 'lineAmount');
  if (index < 0) return undefined;
  const one = new Map<number, RowCell>();
  for (const [row, values] of rows.entries()) {
    const cell = values.get(index)?.cell;
    if (cell) one.set(row, cell);
  }
  const numbers = numbersOf({ cells: one, left: 0, right: 0, numbers: 1 }, rows.length, decimal);
  const cents = numbers.reduce((sum, value) => sum + Math.round(value * 100), 0);
  return Number.isNaN(cents) ? undefined : cents / 100;
}
