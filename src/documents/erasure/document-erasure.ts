import type { DataSource, EntityManager } from 'typeorm';
import type { Erasure } from '../../domain-module.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { Document } from '../files/document.entity.js';
import { DocumentSession } from '../sessions/document-session.entity.js';
import { changeCounters } from '../sessions/session-counters.js';
import type { SessionChange } from '../sessions/session-counters.js';

/** The kind of jobs that delete what is left of sessions. */
export const ERASE_JOB = 'documents.erase';

const VALUES_AT_ONCE = 200;
const DOCUMENTS_AT_ONCE = 100;
const DELETE_VALUES = `
  DELETE FROM document_values WHERE id IN (
    SELECT id FROM document_values WHERE document_id = $1 LIMIT ${VALUES_AT_ONCE}) RETURNING id`;

/** Sessions of others that a user has put documents into. */
const SHARED_SESSIONS = `
  SELECT DISTINCT session_id AS id, tenant_id AS "tenantId" FROM documents WHERE owner_id = $1 AND deleted_at IS NULL`;
const LOCK = 'SELECT FROM document_sessions WHERE id = $1 FOR UPDATE';
/** The documents of a user in a session that is locked, and what its counters lose by them. */
const HIDE = `
  WITH gone AS (
    UPDATE documents SET deleted_at = now() WHERE session_id = $1 AND owner_id = $2 AND deleted_at IS NULL
    RETURNING id, status
  )
  SELECT count(*)::integer AS documents, (count(*) FILTER (WHERE status = 'failed'))::integer AS failed,
    (count(*) FILTER (WHERE status IN ('queued', 'processing')))::integer AS unfinished, (
      SELECT count(*)::integer FROM document_values v JOIN gone g ON g.id = v.document_id AND g.status = 'ready'
      WHERE v.status = 'pending'
    ) AS pending
  FROM gone`;
const FORGET_REVIEWER = `
  UPDATE document_values SET comment = CASE WHEN resolved_by = $1 THEN NULL ELSE comment END,
    resolved_by = CASE WHEN resolved_by = $1 THEN $2 ELSE resolved_by END,
    claimed_by = CASE WHEN claimed_by = $1 THEN NULL ELSE claimed_by END,
    claimed_until = CASE WHEN claimed_by = $1 THEN NULL ELSE claimed_until END
  WHERE id IN (
    SELECT id FROM document_values WHERE resolved_by = $1 OR claimed_by = $1 LIMIT ${VALUES_AT_ONCE}) RETURNING id`;

interface SharedSession {
  readonly id: string;
  readonly tenantId: string;
}

interface DocumentErasureParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly blobs: Pick<Blobs, 'release'>;
  /** Tells whoever watches a session. */
  readonly changed: (sessionId: string) => void;
}

/** Deletes what is left of sessions that are gone for everybody, in transactions that hold up nobody. */
export class DocumentErasure {
  constructor(private readonly parts: DocumentErasureParts) {}

  readonly handler: JobHandler = async ({ payload, signal, transaction }) => {
    const { sessionId } = payload as { sessionId: string };
    await this.eraseSession(sessionId, { signal, transaction });
  };

  /** Puts a session into the queue. */
  async enqueue(tx: EntityManager, erased: { readonly sessionId: string }, tenantId: string): Promise<void> {
    // It is nobody's: it is done whoever is deleted meanwhile.
    await this.parts.jobs.enqueue({ kind: ERASE_JOB, payload: { ...erased }, tenantId }, tx);
  }

  /** The sessions of a user, and its documents in those of others. */
  readonly eraseUser = async (
    { id, pseudonym }: { id: string; pseudonym: string },
    erasure: Erasure,
  ): Promise<void> => {
    await this.eraseSessions({ ownerId: id }, erasure);
    const shared = await this.parts.dataSource.query<SharedSession[]>(SHARED_SESSIONS, [id]);
    for (const session of shared) {
      await erasure.transaction((tx) => this.hideDocuments(tx, session, id));
      this.parts.changed(session.id);
    }
    await this.eraseDocuments({ ownerId: id }, erasure);
    await inSlices(FORGET_REVIEWER, [id, pseudonym], erasure);
  };

  readonly eraseTenant = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseSessions({ tenantId: id }, erasure);

  private async eraseSessions(where: { ownerId: string } | { tenantId: string }, erasure: Erasure): Promise<void> {
    const sessions = await this.parts.dataSource.manager.find(DocumentSession, { select: { id: true }, where });
    for (const { id } of sessions) {
      await erasure.transaction((tx) => tx.update(DocumentSession, { id }, { deletedTime: new Date() }));
      this.parts.changed(id);
      await this.eraseSession(id, erasure);
    }
  }

  private async eraseSession(id: string, erasure: Erasure): Promise<void> {
    await this.eraseDocuments({ sessionId: id }, erasure);
    await erasure.transaction((tx) => tx.delete(DocumentSession, { id }));
  }

  private async eraseDocuments(where: { sessionId: string } | { ownerId: string }, erasure: Erasure): Promise<void> {
    for (;;) {
      const documents = await this.parts.dataSource.manager.find(Document, {
        select: { id: true },
        where,
        take: DOCUMENTS_AT_ONCE,
      });
      for (const { id } of documents) await this.eraseDocument(id, erasure);
      if (documents.length < DOCUMENTS_AT_ONCE) return;
    }
  }

  private async hideDocuments(tx: EntityManager, session: SharedSession, userId: string): Promise<void> {
    await tx.query(LOCK, [session.id]);
    const [gone] = await tx.query<[SessionChange]>(HIDE, [session.id, userId]);
    const { documents = 0, failed = 0, unfinished = 0, pending = 0 } = gone;
    const change = { documents: -documents, failed: -failed, unfinished: -unfinished, pending: -pending };
    await changeCounters(tx, session, change, { actor: SYSTEM, audit: this.parts.audit });
  }

  private async eraseDocument(id: string, erasure: Erasure): Promise<void> {
    await inSlices(DELETE_VALUES, [id], erasure);
    await erasure.transaction(async (tx) => {
      const document = await tx.findOneBy(Document, { id });
      if (!document) return;
      await tx.delete(Document, { id });
      await this.parts.blobs.release(tx, [document.blobKey]);
    });
  }
}

async function inSlices(sql: string, values: readonly unknown[], { signal, transaction }: Erasure): Promise<void> {
  for (let changed = VALUES_AT_ONCE; changed === VALUES_AT_ONCE;) {
    signal.throwIfAborted();
    const [rows] = await transaction((tx) => tx.query<[object[], number]>(sql, [...values]));
    changed = rows.length;
  }
}
