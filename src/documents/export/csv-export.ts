import { csvRows } from '../../platform/text/csv.js';
import { nestValues } from '../schema/nested-values.js';
import { columnHeads, DOCUMENT_COLUMNS, flattenFields, memberAt } from './columns.js';
import type { ResultExport } from './export.types.js';
import { joinTexts } from './join-texts.js';

/**
 * Results as comma separated values (RFC 4180), UTF-8: a row for each document, a column for each field; an array is a cell
 * with its JSON, empty where it holds nothing.
 * @returns pieces of the text, whole rows each
 */
export function toCsv(results: ResultExport): AsyncGenerator<string, void, undefined> {
  return joinTexts(textsOf(results));
}

async function* textsOf({ schema, isComplete, documents }: ResultExport): AsyncGenerator<string, void, undefined> {
  const fields = flattenFields(schema.root);
  yield csvRows([columnHeads(DOCUMENT_COLUMNS, fields)]);
  for await (const document of documents) {
    const { id, filename, status, pages } = document;
    const values = nestValues(schema, document.fields);
    const cells = fields.map(({ names }) => toCell(memberAt(values, names)));
    yield csvRows([[id, filename, status, pages, String(isComplete), ...cells]]);
  }
}

function toCell(value: unknown): string | number | null {
  if (Array.isArray(value)) return value.length === 0 ? null : JSON.stringify(value);
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : null;
}
