import { isCalendarDate } from '../schema/calendar-date.js';
import { nestValues } from '../schema/nested-values.js';
import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { findField, parsePath } from '../schema/value-path.js';
import { columnHeads, DOCUMENT_COLUMNS, flattenFields, memberAt } from './columns.js';
import type { ColumnField } from './columns.js';
import type { ExportedDocument, ExportedField } from './export.types.js';
import { sheetNames } from './sheet-names.js';
import type { WorkbookCell, WorkbookRow, WorkbookSheet } from './workbook/workbook.types.js';

/** What Excel holds in a cell, in UTF-16 units, and the largest number that it knows. */
const CELL_LENGTH = 32_767;
const LARGEST_NUMBER = 9.99e307;

/** Excel has a 29 February 1900: the days before it are off by one, and those before 1900 have no number. */
const FIRST_DAY = '1900-03-01';

/** So many sheets come before those of arrays. */
const DOCUMENT_SHEETS = 1;

const EVIDENCE_COLUMNS = [
  'document_id',
  'filename',
  'path',
  'value',
  'confidence',
  'page',
  'quote',
  'origin',
  'extractor',
  'status',
  'reason',
];

/** An array of the schema, which has a sheet of its own. */
interface ArraySheet {
  /** The names that lead from an object to the array in it: one list for each array around it, and one for itself. */
  readonly chain: readonly (readonly string[])[];
  readonly items: SchemaField;
  /** What a row shows of an item: itself, without names, where it is a single value. */
  readonly fields: readonly ColumnField[];
}

/** The sheets of a workbook of results: the documents, one for each array, the evidence of all values. */
export class ResultSheets {
  readonly sheets: readonly WorkbookSheet[];
  private readonly fields: readonly ColumnField[];
  private readonly arrays: readonly ArraySheet[];

  constructor(private readonly schema: ExtractionSchema) {
    this.fields = singleValues(schema.root);
    this.arrays = findArrays(schema.root, []);
    const titles = this.arrays.map(({ chain }) => chain.flat().join('.'));
    const columns = [columnHeads(DOCUMENT_COLUMNS, this.fields), ...this.arrays.map(toArrayColumns), EVIDENCE_COLUMNS];
    const names = sheetNames(['documents', ...titles, 'evidence']);
    this.sheets = names.map((name, index) => ({ name, columns: columns[index] ?? [] }));
  }

  /** The rows of a document on all sheets. */
  *rowsOf(document: ExportedDocument, isComplete: boolean): Generator<WorkbookRow, void, undefined> {
    const values = nestValues(this.schema, document.fields);
    const [id, filename] = [toCell(document.id), toCell(document.filename)];
    yield [0, id, filename, toCell(document.status), document.pages, isComplete, ...cellsOf(this.fields, values)];
    for (const [index, array] of this.arrays.entries()) {
      for (const { indexes, item } of itemsOf(values, array.chain)) {
        yield [DOCUMENT_SHEETS + index, id, filename, ...indexes, ...cellsOf(array.fields, item)];
      }
    }
    for (const field of document.fields) {
      yield [DOCUMENT_SHEETS + this.arrays.length, id, filename, ...this.evidenceOf(field)];
    }
  }

  private evidenceOf({ path, value, confidence, page, quote, origin, extractor, status, reason }: ExportedField) {
    const field = findField(this.schema, parsePath(path) ?? []);
    const texts = [quote, origin, extractor, status, reason].map((text) => toCell(text));
    return [toCell(path), toCell(value, field), toCell(confidence), page, ...texts];
  }
}

function singleValues(object: SchemaField): ColumnField[] {
  return flattenFields(object).filter(({ field }) => field.kind !== 'array');
}

/** Goes down as deep as the schema. */
function findArrays(object: SchemaField, around: readonly (readonly string[])[]): ArraySheet[] {
  return flattenFields(object).flatMap(({ names, field: { items } }) => {
    if (!items) return [];
    const chain = [...around, names];
    if (items.kind !== 'object') return [{ chain, items, fields: [{ names: [], field: items }] }];
    return [{ chain, items, fields: singleValues(items) }, ...findArrays(items, chain)];
  });
}

/** The index in an array has a head that no field has: `line_items[]`. */
function toArrayColumns({ chain, items, fields }: ArraySheet): string[] {
  const indexes = chain.map(
    (_, level) =>
      `${chain
        .slice(0, level + 1)
        .map((names) => names.join('.'))
        .join('[].')}[]`,
  );
  const heads = ['document_id', 'filename', ...indexes];
  return items.kind === 'object' ? columnHeads(heads, fields) : [...heads, 'value'];
}

function* itemsOf(
  object: unknown,
  [names = [], ...others]: readonly (readonly string[])[],
  around: readonly number[] = [],
): Generator<{ readonly indexes: readonly number[]; readonly item: unknown }, void, undefined> {
  const items = memberAt(object, names);
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.entries()) {
    const indexes = [...around, index];
    if (others.length === 0) yield { indexes, item };
    else yield* itemsOf(item, others, indexes);
  }
}

function cellsOf(fields: readonly ColumnField[], item: unknown): WorkbookCell[] {
  return fields.map(({ names, field }) => toCell(memberAt(item, names), field));
}

function toCell(value: unknown, field?: SchemaField): WorkbookCell {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Math.abs(value) <= LARGEST_NUMBER ? value : String(value);
  if (typeof value !== 'string') return null;
  if (field?.kind === 'date' && value >= FIRST_DAY && isCalendarDate(value)) return { date: value };
  return value.length <= CELL_LENGTH ? value : `${value.slice(0, CELL_LENGTH - 1)}…`;
}
