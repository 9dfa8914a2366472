import type { ExportedDocument, ExportedField } from '../export/export.types.js';

const DOCUMENTS_AT_ONCE = 100;
/** Values that are asked for together; those of one document are, however many there are. */
const VALUES_AT_ONCE = 1_000;

/** What is being read anew is not whole. */
const DOCUMENTS = `
  SELECT d.id, d.filename, d.status, d.pages, CASE WHEN d.status = 'ready' THEN
    (SELECT count(*)::integer FROM document_values v WHERE v.document_id = d.id) ELSE 0 END AS count
  FROM documents d WHERE d.session_id = $1 AND d.deleted_at IS NULL AND d.id > $2 ORDER BY d.id LIMIT ${DOCUMENTS_AT_ONCE}`;
/**
 * What a person has said is the value. OFFSET keeps documents looked up one by one: without statistics, as in the embedded
 * database, the whole table would be read for some of them.
 */
const VALUES = `
  SELECT v.document_id AS "documentId", v.path,
    CASE WHEN v.resolved_at IS NULL THEN v.proposed_value ELSE v.value END AS value,
    v.confidence, v.page, v.quote, v.bbox, v.origin, v.extractor, v.status, v.reason
  FROM unnest($1::text[]) WITH ORDINALITY AS ids (id, place),
    LATERAL (SELECT * FROM document_values WHERE document_id = ids.id OFFSET 0) v
  ORDER BY ids.place, v.position, v.path`;

/** The database, whose statements may wait for their turn. */
interface Queried {
  query<Rows>(text: string, values?: unknown[]): Promise<Rows>;
}

type DocumentRow = Omit<ExportedDocument, 'fields'> & { readonly count: number };
type ValueRow = ExportedField & { readonly documentId: string };

/** The documents of a session with their values, one after another; some are held in memory. @throws the signal's reason */
export async function* exportedDocuments(
  database: Queried,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExportedDocument> {
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const documents = await database.query<DocumentRow[]>(DOCUMENTS, [sessionId, after]);
    for (const some of together(documents)) {
      signal.throwIfAborted();
      const fields = await fieldsOf(database, some);
      for (const { id, filename, status, pages } of some) {
        yield { id, filename, status, pages, fields: fields.get(id) ?? [] };
      }
    }
    if (documents.length < DOCUMENTS_AT_ONCE) return;
    after = documents.at(-1)?.id ?? after;
  }
}

/** In the same order: as many at once as have few values. */
function* together(documents: readonly DocumentRow[]): Generator<DocumentRow[]> {
  let [some, values]: [DocumentRow[], number] = [[], 0];
  for (const document of documents) {
    if (some.length > 0 && values + document.count > VALUES_AT_ONCE) {
      yield some;
      [some, values] = [[], 0];
    }
    some.push(document);
    values += document.count;
  }
  if (some.length > 0) yield some;
}

async function fieldsOf(
  database: Queried,
  documents: readonly DocumentRow[],
): Promise<ReadonlyMap<string, readonly ExportedField[]>> {
  const ids = documents.filter(({ count }) => count > 0).map(({ id }) => id);
  const fields = new Map<string, ExportedField[]>(ids.map((id) => [id, []]));
  const rows = ids.length > 0 ? await database.query<ValueRow[]>(VALUES, [ids]) : [];
  for (const { documentId, ...field } of rows) fields.get(documentId)?.push(field);
  return fields;
}
