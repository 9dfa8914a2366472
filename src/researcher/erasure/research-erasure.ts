import type { DataSource, EntityManager } from 'typeorm';
import type { Erasure } from '../../domain-module.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { ResearchSession } from '../sessions/research-session.entity.js';

/** The kind of jobs that delete what is left of sessions. */
export const ERASE_JOB = 'researcher.erase';

const ROWS_AT_ONCE = 200;
const SESSIONS_AT_ONCE = 100;
const DELETE_EVENTS = `
  DELETE FROM research_events WHERE session_id = $1 AND id IN (
    SELECT id FROM research_events WHERE session_id = $1 ORDER BY id LIMIT ${ROWS_AT_ONCE}) RETURNING id`;
const DELETE_STEPS = `
  DELETE FROM research_steps WHERE session_id = $1 AND (kind, hash) IN (
    SELECT kind, hash FROM research_steps WHERE session_id = $1 LIMIT ${ROWS_AT_ONCE}) RETURNING hash`;
const DELETE_SOURCES = `
  DELETE FROM research_sources WHERE session_id = $1 AND id IN (
    SELECT id FROM research_sources WHERE session_id = $1 LIMIT ${ROWS_AT_ONCE}) RETURNING blob_key AS "blobKey"`;
/** A job that still goes on can add nothing behind it: what it adds refers to the row. */
const LOCK = 'SELECT FROM research_sessions WHERE id = $1 FOR UPDATE';

interface ResearchErasureParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly blobs: Pick<Blobs, 'release'>;
  /** Tells whoever reads a session, and the job that does it, that it is gone. */
  readonly cancelled: (sessionId: string) => void;
}

/** Deletes what is left of sessions that are gone for everybody, in transactions that hold up nobody. */
export class ResearchErasure {
  constructor(private readonly parts: ResearchErasureParts) {}

  readonly handler: JobHandler = async ({ payload, signal, transaction }) => {
    const { sessionId } = payload as { sessionId: string };
    await this.eraseSession(sessionId, { signal, transaction });
  };

  /** Puts a session into the queue. */
  async enqueue(tx: EntityManager, erased: { readonly sessionId: string }, tenantId: string): Promise<void> {
    // It is nobody's: it is done whoever is deleted meanwhile.
    await this.parts.jobs.enqueue({ kind: ERASE_JOB, payload: { ...erased }, tenantId }, tx);
  }

  /** The sessions of a user. */
  readonly eraseUser = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseSessions({ ownerId: id }, erasure);

  /** Those of a tenant. */
  readonly eraseTenant = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseSessions({ tenantId: id }, erasure);

  private async eraseSessions(where: { ownerId: string } | { tenantId: string }, erasure: Erasure): Promise<void> {
    for (;;) {
      const sessions = await this.parts.dataSource.manager.find(ResearchSession, {
        select: { id: true },
        where,
        take: SESSIONS_AT_ONCE,
      });
      for (const { id } of sessions) {
        await erasure.transaction((tx) => tx.update(ResearchSession, { id }, { deletedTime: new Date() }));
        this.parts.cancelled(id);
        await this.eraseSession(id, erasure);
      }
      if (sessions.length < SESSIONS_AT_ONCE) return;
    }
  }

  private async eraseSession(id: string, erasure: Erasure): Promise<void> {
    await inSlices(DELETE_EVENTS, id, erasure);
    await inSlices(DELETE_STEPS, id, erasure);
    do erasure.signal.throwIfAborted();
    while (!(await erasure.transaction((tx) => this.eraseRest(tx, id))));
  }

  /** Deletes sources with the texts that are kept of them, and the session where none is left. @returns whether that is done */
  private async eraseRest(tx: EntityManager, id: string): Promise<boolean> {
    await tx.query(LOCK, [id]);
    const [sources] = await tx.query<[{ blobKey: string | null }[], number]>(DELETE_SOURCES, [id]);
    const keys = sources.flatMap(({ blobKey }) => blobKey ?? []);
    if (keys.length > 0) await this.parts.blobs.release(tx, keys);
    if (sources.length === ROWS_AT_ONCE) return false;
    await tx.delete(ResearchSession, { id });
    return true;
  }
}

async function inSlices(sql: string, id: string, { signal, transaction }: Erasure): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
    signal.throwIfAborted();
    const [rows] = await transaction((tx) => tx.query<[object[], number]>(sql, [id]));
    deleted = rows.length;
  }
}
