import { In, IsNull, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobLimits } from '../../platform/jobs/job.types.js';
import type { ResearchSession } from './research-session.entity.js';
import { ResearchSource } from './research-source.entity.js';

/** The kind of jobs that do research sessions. */
export const SESSION_JOB = 'researcher.session';

/**
 * A session waits for the network and its model most of the time, and may do so for an hour: two tenants whose models say
 * nothing leave places to others, and so do five users of one to their colleagues.
 */
export const SESSION_LIMITS: JobLimits = { atOnce: 30, atOnceForTenant: 12, atOnceForUser: 2 };

/** What a job that does a session is given. */
export interface SessionPayload {
  readonly sessionId: string;
  /** A job of an earlier run than the session's has nothing to do any more. */
  readonly run: number;
}

/** What of a session its job depends on. */
type QueuedSession = Pick<ResearchSession, 'id' | 'ownerId' | 'replayOf' | 'run' | 'tenantId'>;

/**
 * Puts a run of a session into the queue, in the transaction that begins it.
 * @param behind how many others its owner has that are not over: sessions of those who have fewer go first
 */
export async function enqueueSession(
  tx: EntityManager,
  jobs: Pick<JobQueue, 'enqueue'>,
  session: QueuedSession,
  behind: number,
): Promise<void> {
  const { id: sessionId, run, ownerId: userId, tenantId } = session;
  const payload: SessionPayload = { sessionId, run };
  const blobKey = await findSnapshot(tx, session);
  const request = { kind: SESSION_JOB, payload: { ...payload }, owner: { userId, tenantId }, priority: -behind };
  await jobs.enqueue({ ...request, ...(blobKey !== undefined && { blobKey }) }, tx);
}

/** The key of a text that a run reads again: of what an earlier run has read, or of the session that it replays. */
export async function findSnapshot(
  manager: EntityManager,
  { id, replayOf }: Pick<ResearchSession, 'id' | 'replayOf'>,
): Promise<string | undefined> {
  const sessionIds = [id, ...(replayOf === null ? [] : [replayOf])];
  const where = { sessionId: In(sessionIds), blobKey: Not(IsNull()) };
  const [read] = await manager.find(ResearchSource, { where, take: 1 });
  return read?.blobKey ?? undefined;
}
