import { newId } from '../../platform/ids.js';
import type { Job } from '../../platform/jobs/job.types.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import type { Document } from './document.entity.js';
import type { ReadValue } from './document-reader.js';

/** Rows in one transaction: the embedded database does nothing else meanwhile. */
const ROWS_AT_ONCE = 64;

/**
 * What a person has said stays, with its proof and its version: what is proposed now stands beside it. An item that waits is
 * another one when its proposal has changed.
 */
const WRITE = `
  INSERT INTO document_values AS v (id, session_id, document_id, path, position, run, proposed_value, confidence, quote, page,
    bbox, origin, extractor, reason, status, version)
  SELECT r.id, $2, $3, r.path, r.position, $4, nullif(r."proposedValue", 'null'::jsonb), r.confidence, r.quote, r.page, r.bbox,
    r.origin, r.extractor, r.reason, r.status, 1
  FROM jsonb_to_recordset($1::jsonb) AS r (id text, path text, position integer, "proposedValue" jsonb,
    confidence double precision, quote text, page integer, bbox double precision[], origin text, extractor text, reason text,
    status text)
  ON CONFLICT (document_id, path) DO UPDATE SET
    position = excluded.position, run = excluded.run, proposed_value = excluded.proposed_value,
    confidence = excluded.confidence, quote = excluded.quote, page = excluded.page, bbox = excluded.bbox,
    origin = excluded.origin, extractor = excluded.extractor, reason = excluded.reason,
    status = CASE WHEN v.resolved_at IS NULL THEN excluded.status ELSE v.status END,
    version = v.version + 1`;
/** What this run has not proposed any more, and no person has said anything of. */
const DELETE_UNREAD = `
  DELETE FROM document_values WHERE id IN (
    SELECT id FROM document_values WHERE document_id = $1 AND run < $2 AND resolved_at IS NULL LIMIT ${ROWS_AT_ONCE})
  RETURNING id`;
const LOCK = `
  SELECT FROM documents WHERE id = $1 AND run = $2 AND status = 'processing' AND deleted_at IS NULL FOR SHARE`;

type WritingJob = Pick<Job, 'signal' | 'transaction'>;

/**
 * Writes the values that a run has read; nobody sees them before the document is ready. It may be done again from its
 * beginning. What is written for a document that is gone, or has been begun anew, is nothing.
 */
export async function writeValues(
  { id, run }: Document,
  { id: sessionId, reviewThreshold }: DocumentSession,
  values: readonly ReadValue[],
  { signal, transaction }: WritingJob,
): Promise<void> {
  for (let first = 0; first < values.length; first += ROWS_AT_ONCE) {
    signal.throwIfAborted();
    const rows = values.slice(first, first + ROWS_AT_ONCE).map((value, index) => ({
      ...value,
      id: newId('ri'),
      position: first + index,
      status: isSure(value, reviewThreshold) ? 'extracted' : 'pending',
    }));
    await transaction(async (tx) => {
      if ((await tx.query<object[]>(LOCK, [id, run])).length === 0) return;
      await tx.query(WRITE, [JSON.stringify(rows), sessionId, id, run]);
    });
  }
}

/** What is missing and need not be there is as it should be. */
function isSure({ isDoubtful, proposedValue, confidence }: ReadValue, threshold: number): boolean {
  return !isDoubtful && (proposedValue === null || confidence >= threshold);
}

/** Deletes what earlier runs have proposed, this one has not, and no person has said anything of. */
export async function deleteUnread({ id, run }: Document, { signal, transaction }: WritingJob): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
    signal.throwIfAborted();
    const [rows] = await transaction((tx) => tx.query<[object[], number]>(DELETE_UNREAD, [id, run]));
    deleted = rows.length;
  }
}
