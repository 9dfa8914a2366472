import type { ExportedDocument, ExportedField, ResultExport } from '../../../../src/documents/export/export.types.js';
import type { FieldValue } from '../../../../src/documents/schema/field-value.js';
import { parseSchema } from '../../../../src/documents/schema/schema-parser.js';

/** A document with these values by path, each with evidence. */
export function resultOf(
  values: Readonly<Record<string, FieldValue>>,
  document: Partial<ExportedDocument> = {},
): ExportedDocument {
  const fields = Object.entries(values).map(([path, value]) => evidenceOf(path, value));
  return { id: 'doc_1', filename: 'invoice.pdf', status: 'extracted', pages: 1, fields, ...document };
}

function evidenceOf(path: string, value: FieldValue): ExportedField {
  const found = value === null ? null : `quote of ${path}`;
  return {
    path,
    value,
    confidence: 0.93,
    page: value === null ? null : 1,
    quote: found,
    bbox: value === null ? null : [0.1, 0.2, 0.3, 0.4],
    origin: value === null ? null : 'text',
    extractor: 'builtin',
    status: 'extracted',
    reason: value === null ? 'not_found' : null,
  };
}

/** An export of these documents, under a schema with these properties. */
export function exportOf(
  properties: object,
  documents: Iterable<ExportedDocument>,
  options: Partial<ResultExport> = {},
): ResultExport {
  const schema = parseSchema({ type: 'object', properties });
  return { schema, isComplete: true, documents: inTurn(documents), ...options };
}

/** One after another, as from a database. */
export async function* inTurn<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
