import { failOn } from './ledger-check.js';
import type { Query } from './servers.js';

/** What the counters of sessions say, and what their rows say. */
const WRONG_COUNTERS = `
  SELECT s.id, s.document_count, s.unfinished_count, s.failed_count, s.pending_count, c.*
  FROM document_sessions s, LATERAL (
    SELECT count(*)::integer AS documents, (count(*) FILTER (WHERE status = 'failed'))::integer AS failed,
      (count(*) FILTER (WHERE status NOT IN ('ready', 'failed')))::integer AS unfinished, (
        SELECT count(*)::integer FROM document_values v WHERE v.session_id = s.id AND v.status = 'pending'
      ) AS pending
    FROM documents d WHERE d.session_id = s.id
  ) c
  WHERE (s.document_count, s.failed_count, s.unfinished_count, s.pending_count, s.completed_at IS NOT NULL)
    IS DISTINCT FROM (c.documents, c.failed, c.unfinished, c.pending, true)`;
/** All that was read of each document, in one text; a value that is there twice is in it twice. */
const DOCUMENTS = `
  SELECT d.id, d.session_id AS session, d.filename, d.run, d.read_run AS "readRun", count(v.id)::integer AS values,
    md5(coalesce(string_agg(
      concat_ws(' ', v.path, v.position, v.proposed_value, v.confidence, v.quote, v.reason, v.status), ','
      ORDER BY v.position, v.path), '')) AS read,
    (count(v.id) FILTER (WHERE v.run <> d.run))::integer AS "ofOtherRuns"
  FROM documents d LEFT JOIN document_values v ON v.document_id = d.id GROUP BY d.id`;
const AUDITED = `
  SELECT action, target_id AS target, count(*)::integer AS entries
  FROM (SELECT action, target_id FROM audit_records UNION ALL SELECT action, target_id FROM audit_entries) a
  WHERE action LIKE 'review_item.%' OR action IN ('document_session.complete', 'document.add', 'document.reprocess')
  GROUP BY action, target_id`;
/** What is released is deleted next: the server may have been stopped between the file, which is looked for, and its row. */
const BLOBS = `
  SELECT coalesce(b.key, d.blob_key) AS key, b.state, d.id AS document
  FROM blobs b FULL JOIN documents d ON d.blob_key = b.key
  WHERE CASE WHEN d.id IS NULL THEN b.state <> 'released' ELSE b.state IS DISTINCT FROM 'kept' END`;
const RESOLVED = `
  SELECT id, CASE status WHEN 'accepted' THEN 'accept' WHEN 'corrected' THEN 'correct' ELSE 'reject' END AS action
  FROM document_values WHERE resolved_at IS NOT NULL`;

interface DocumentRow {
  readonly id: string;
  readonly session: string;
  readonly filename: string;
  readonly run: number;
  readonly readRun: number;
  readonly values: number;
  readonly read: string;
  readonly ofOtherRuns: number;
}

/**
 * Compares the documents of all sessions with those of the first, which nobody has disturbed, and what is counted,
 * recorded and stored with the rows that it is about.
 * @returns how many items there are
 * @throws Error that lists what does not fit
 */
export async function checkReview(query: Query, sessions: readonly string[]): Promise<number> {
  const documents = await query<DocumentRow>(DOCUMENTS);
  const problems = documentProblems(documents, sessions);
  for (const row of await query(WRONG_COUNTERS)) problems.push(`counters differ: ${JSON.stringify(row)}`);
  for (const row of await query(BLOBS)) problems.push(`bytes are nobody's: ${JSON.stringify(row)}`);
  const resolved = await query<{ id: string; action: string }>(RESOLVED);
  const expected = new Set([
    ...resolved.map(({ id, action }) => `review_item.${action} ${id} 1`),
    ...sessions.map((id) => `document_session.complete ${id} 1`),
    ...documents.map(({ id }) => `document.add ${id} 1`),
    ...documents.filter(({ run }) => run > 1).map(({ id, run }) => `document.reprocess ${id} ${run - 1}`),
  ]);
  const audited = await query<{ action: string; target: string; entries: number }>(AUDITED);
  const recorded = new Set(audited.map(({ action, target, entries }) => `${action} ${target} ${entries}`));
  for (const entry of expected.symmetricDifference(recorded)) problems.push(`audit: ${entry}`);
  failOn(problems);
  return resolved.length;
}

function documentProblems(documents: readonly DocumentRow[], sessions: readonly string[]): string[] {
  const problems = documents.length === 3 * sessions.length ? [] : [`there are ${documents.length} documents`];
  for (const { id, session, filename, read, values, run, readRun, ofOtherRuns } of documents) {
    const undisturbed = documents.find((one) => one.session === sessions[0] && one.filename === filename);
    const isRead = filename !== 'torn.pdf';
    if (isRead ? values < 400 : values > 0) problems.push(`${id} has ${values} values`);
    if (read !== undisturbed?.read) problems.push(`${id} of ${session} has other values than ${undisturbed?.id}`);
    if (readRun !== (isRead ? run : 0) || ofOtherRuns > 0) problems.push(`${id} has values of other runs`);
  }
  return problems;
}
