import { setMember } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { nestValues } from '../schema/nested-values.js';
import type { ExtractionSchema } from '../schema/schema.types.js';
import type { ExportedDocument, ResultExport } from './export.types.js';
import { joinTexts } from './join-texts.js';

/**
 * Results as one JSON document, a document of the session at a time:
 * `{object:"document_analyzer.results", complete, data:[{id, filename, status, pages, values, fields}]}`. `values` is an
 * object of the schema's form, `fields` has the evidence by path.
 * @returns pieces of its text
 */
export function toJson(results: ResultExport): AsyncGenerator<string, void, undefined> {
  return joinTexts(jsonTexts(results));
}

async function* jsonTexts({ schema, isComplete, documents }: ResultExport): AsyncGenerator<string, void, undefined> {
  yield `{"object":"document_analyzer.results","complete":${isComplete},"data":[`;
  let separator = '';
  for await (const document of documents) {
    yield separator + JSON.stringify(toBody(schema, document));
    separator = ',';
  }
  yield ']}';
}

function toBody(schema: ExtractionSchema, { id, filename, status, pages, fields }: ExportedDocument): JsonObject {
  const evidence: JsonObject = {};
  for (const { path, ...found } of fields) setMember(evidence, path, found);
  return { id, filename, status, pages, values: nestValues(schema, fields), fields: evidence };
}
