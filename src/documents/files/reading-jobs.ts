import { In, IsNull } from 'typeorm';
import type { DataSource, EntityManager, FindOptionsWhere } from 'typeorm';
import { Forbidden, QuotaExceeded } from '../../errors.js';
import { LAST_ATTEMPT, waitSeconds } from '../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasUnfinishedJob } from '../../platform/jobs/unfinished-job.js';
import type { Job, JobOwner, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { noteUnserved } from '../../platform/jobs/unserved-jobs.js';
import { DocumentSession } from '../sessions/document-session.entity.js';
import { changeCounters, countPending } from '../sessions/session-counters.js';
import type { SessionChange } from '../sessions/session-counters.js';
import { Document } from './document.entity.js';
import type { DocumentReader, ReadDocument } from './document-reader.js';
import { toFileFailure } from '../../platform/extraction/file-failure.js';
import type { FileFailure } from '../../platform/extraction/file-failure.js';
import { deleteUnread, writeValues } from './value-writer.js';

/** The kind of jobs that read documents. */
export const READING_JOB = 'documents.read';

/** Each has a child process of its own. */
const LIMITS = { atOnce: 2, atOnceForTenant: 1 };
/** How often where a model reads: some three minutes in all. */
const MOST_WAITS_FOR_MODEL = 5;
const UNEXPLAINED: FileFailure = {
  message:
    'The server failed at this document. Please have it read once more, and tell your administrator if it fails again.',
  isTransient: false,
};
const NOT_PERMITTED = 'Whoever wanted this document read may not use the platform any more.';
const ABANDONED = `
  SELECT id FROM documents WHERE status IN ('queued', 'processing') AND deleted_at IS NULL
    AND NOT ${hasUnfinishedJob(READING_JOB, 'documentId', 'documents.id')}
  ORDER BY id LIMIT 1000`;
const WAITING = {
  table: 'documents',
  where: "status IN ('queued', 'processing') AND deleted_at IS NULL",
  kind: READING_JOB,
  member: 'documentId',
} as const;
const LOCK_SESSION = 'SELECT FROM document_sessions WHERE id = $1 AND deleted_at IS NULL FOR UPDATE';

interface ReadingJobsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
  /** Told when a session has changed. */
  readonly changed: (sessionId: string) => void;
}

/** What of a document its job depends on. */
type QueuedDocument = Pick<Document, 'blobKey' | 'id' | 'run' | 'tenantId'>;

interface ReadingPayload {
  readonly documentId: string;
  readonly run: number;
  /** Who wants it read. */
  readonly userId: string;
  /** How often what it needs was missing. */
  readonly waits: number;
}

/** Reads documents, one job each. What is missing at the moment is waited for; what cannot be read is said on the document. */
export class ReadingJobs {
  constructor(private readonly parts: ReadingJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  /** Puts a document into the queue. @param userId who wants that, and pays for the calls of its model */
  async enqueue(tx: EntityManager, document: QueuedDocument, userId: string): Promise<void> {
    await this.send(tx, { documentId: document.id, run: document.run, userId, waits: 0 }, document);
  }

  /**
   * Ends the runs of documents that nobody reads any more: jobs are given up where processes have died of them. Says of others
   * that they wait for their server.
   */
  async endAbandoned(): Promise<void> {
    const { dataSource, changed } = this.parts;
    for (const { id } of await dataSource.query<{ id: string }[]>(ABANDONED)) {
      const document = await dataSource.manager.findOneBy(Document, { id });
      if (!document) continue;
      await dataSource.transaction((tx) => this.giveUp(tx, document, UNEXPLAINED.message));
      changed(document.sessionId);
    }
    const unserved = await noteUnserved<{ session_id: string }>(dataSource, WAITING);
    for (const { session_id: sessionId } of unserved) changed(sessionId);
  }

  private async run(job: Job): Promise<void> {
    const payload = job.payload as unknown as ReadingPayload;
    const { manager } = this.parts.dataSource;
    const document = await manager.findOneBy(Document, { id: payload.documentId, deletedTime: IsNull() });
    if (!document || document.run !== payload.run || !isUnfinished(document)) return;
    const session = await manager.findOneBy(DocumentSession, { id: document.sessionId, deletedTime: IsNull() });
    if (!session) return;
    await job.requireFile(document.blobKey);
    try {
      const read = await this.read(document, session, payload.userId, job);
      if (!read) return;
      await writeValues(document, session, read.values, job);
      await deleteUnread(document, job);
      await job.transaction((tx) => this.finish(tx, document, read));
    } catch (error) {
      job.signal.throwIfAborted();
      const failure = failureOf(error) ?? (job.attempt < LAST_ATTEMPT ? undefined : UNEXPLAINED);
      if (!failure) throw error;
      await this.fail(document, failure, payload, job);
    } finally {
      this.parts.changed(document.sessionId);
    }
  }

  /** @returns undefined where another job has brought the run to its end */
  private async read(
    document: Document,
    session: DocumentSession,
    userId: string,
    job: Job,
  ): Promise<ReadDocument | undefined> {
    const { permits, reader, changed } = this.parts;
    const owner = { tenantId: document.tenantId, userId };
    if (!(await permits(owner))) throw new Forbidden(NOT_PERMITTED);
    const begun = { status: 'processing' as const, error: null };
    const { affected } = await job.transaction((tx) => tx.update(Document, unfinished(document), begun));
    if (affected === 0) return undefined;
    changed(document.sessionId);
    return reader.read({ document, session, owner: { ...owner, tokenId: job.id }, signal: job.signal });
  }

  private async finish(tx: EntityManager, document: Document, read: ReadDocument): Promise<void> {
    const { id, sessionId, run } = document;
    if (!(await lockSession(tx, sessionId))) return;
    const { pages, pagesFailed, warnings } = read;
    const seen = { pages, pagesFailed: [...pagesFailed], warnings: [...warnings] };
    const done = { status: 'ready' as const, error: null, readRun: run, ...seen };
    const { affected } = await tx.update(Document, { id, run, deletedTime: IsNull(), status: 'processing' }, done);
    if (affected === 0) return;
    await this.count(tx, document, { unfinished: -1, pending: await countPending(tx, id) });
  }

  private count(tx: EntityManager, { sessionId: id, tenantId }: Document, change: SessionChange): Promise<void> {
    return changeCounters(tx, { id, tenantId }, change, { actor: SYSTEM, audit: this.parts.audit });
  }

  private async fail(document: Document, failure: FileFailure, payload: ReadingPayload, job: Job): Promise<void> {
    const { message: error, isTransient } = failure;
    await job.transaction(async (tx) => {
      // Each time the model is called anew, and paid.
      const isOver = document.model !== null && payload.waits >= MOST_WAITS_FOR_MODEL;
      if (!isTransient || isOver) return this.giveUp(tx, document, error);
      if (!(await lockSession(tx, document.sessionId))) return;
      const delaySeconds = waitSeconds(payload.waits);
      if ((await tx.update(Document, unfinished(document), { status: 'queued', error })).affected === 0) return;
      await this.send(tx, { ...payload, waits: payload.waits + 1 }, document, delaySeconds);
    });
  }

  /** Ends a run for good. What an earlier one has read is still there, and so is what people have said of it. */
  private async giveUp(tx: EntityManager, document: Document, error: string): Promise<void> {
    const { id, sessionId, readRun } = document;
    if (!(await lockSession(tx, sessionId))) return;
    const wasRead = readRun > 0;
    const ended = { status: wasRead ? ('ready' as const) : ('failed' as const), error };
    if ((await tx.update(Document, unfinished(document), ended)).affected === 0) return;
    const pending = wasRead ? await countPending(tx, id) : 0;
    await this.count(tx, document, { unfinished: -1, failed: wasRead ? 0 : 1, pending });
  }

  private async send(
    tx: EntityManager,
    payload: ReadingPayload,
    { tenantId, blobKey }: QueuedDocument,
    delaySeconds = 0,
  ): Promise<void> {
    const job = { kind: READING_JOB, payload: { ...payload }, about: payload.userId };
    await this.parts.jobs.enqueue({ ...job, tenantId, blobKey, delaySeconds }, tx);
  }
}

/** A quota is not waited for: nobody knows for how long, and people may read the document by rules alone. */
function failureOf(error: unknown): FileFailure | undefined {
  return error instanceof QuotaExceeded ? { message: error.message, isTransient: false } : toFileFailure(error);
}

function isUnfinished({ status }: Document): boolean {
  return status === 'queued' || status === 'processing';
}

/**
 * The document as long as its run has not come to an end. A process that dies right after it has put a job off leaves two of
 * them: whichever ends the run counts, once.
 */
function unfinished({ id, run }: Document): FindOptionsWhere<Document> {
  return { id, run, deletedTime: IsNull(), status: In(['queued', 'processing']) };
}

/** @returns false where it is gone */
async function lockSession(tx: EntityManager, id: string): Promise<boolean> {
  return (await tx.query<object[]>(LOCK_SESSION, [id])).length > 0;
}
