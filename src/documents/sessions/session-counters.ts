import type { EntityManager } from 'typeorm';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { DocumentSession } from './document-session.entity.js';

/** By how much the counters of a session change; 0 for what is left out. */
export interface SessionChange {
  readonly documents?: number;
  readonly unfinished?: number;
  readonly failed?: number;
  readonly pending?: number;
}

/**
 * The statement that brings all counters to rest completes the session: there is one, whoever comes at the same time. Times
 * would not tell which it was: the column has milliseconds, `now()` microseconds.
 */
const CHANGE = `
  UPDATE document_sessions s SET
    document_count = s.document_count + $2, unfinished_count = s.unfinished_count + $3,
    failed_count = s.failed_count + $4, pending_count = s.pending_count + $5,
    completed_at = CASE
      WHEN s.completed_at IS NULL AND s.unfinished_count + $3 = 0 AND s.pending_count + $5 = 0
        AND s.document_count + $2 > s.failed_count + $4 THEN now()
      ELSE s.completed_at END
  FROM document_sessions before
  WHERE s.id = $1 AND before.id = s.id
  RETURNING before.completed_at IS NULL AND s.completed_at IS NOT NULL AS "isCompleted"`;

/** Who changes the counters of a session, and where it is recorded. */
export interface CounterChanger {
  /** The server itself, where no person has brought the change about. */
  readonly actor: AuditActor;
  readonly audit: Pick<AuditRecorder, 'record'>;
}

/** Changes the counters of a session, whose row is locked by the transaction. That it is complete is recorded. */
export async function changeCounters(
  tx: EntityManager,
  { id, tenantId }: Pick<DocumentSession, 'id' | 'tenantId'>,
  { documents = 0, unfinished = 0, failed = 0, pending = 0 }: SessionChange,
  { actor, audit }: CounterChanger,
): Promise<void> {
  const values = [id, documents, unfinished, failed, pending];
  const [rows] = await tx.query<[{ isCompleted: boolean }[], number]>(CHANGE, values);
  if (!rows[0]?.isCompleted) return;
  const target = { type: 'document_session', id };
  await audit.record(tx, actor, { tenantId, action: 'document_session.complete', target });
}

/** How many values of a document wait for a person. */
export async function countPending(tx: EntityManager, documentId: string): Promise<number> {
  const sql = "SELECT count(*)::integer AS count FROM document_values WHERE document_id = $1 AND status = 'pending'";
  const [row] = await tx.query<{ count: number }[]>(sql, [documentId]);
  return row?.count ?? 0;
}
