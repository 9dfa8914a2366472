import type { EntityManager } from 'typeorm';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobLimits } from '../../platform/jobs/job.types.js';
import type { ResearchSession } from './research-session.entity.js';

/** The kind of jobs that do research sessions. */
export const SESSION_JOB = 'researcher.session';

/** A session waits for the network most of the time. */
export const SESSION_LIMITS: JobLimits = { atOnce: 4, atOnceForTenant: 2 };

/** What a job that does a session is given. */
export interface SessionPayload {
  readonly sessionId: string;
  /** A job of an earlier run than the session's has nothing to do any more. */
  readonly run: number;
}

/**
 * Puts a run of a session into the queue, in the transaction that begins it.
 * @param delaySeconds it is not done before; default: 0
 */
export async function enqueueSession(
  tx: EntityManager,
  jobs: Pick<JobQueue, 'enqueue'>,
  { id: sessionId, run, ownerId: userId, tenantId }: Pick<ResearchSession, 'id' | 'run' | 'ownerId' | 'tenantId'>,
  delaySeconds = 0,
): Promise<void> {
  const payload: SessionPayload = { sessionId, run };
  await jobs.enqueue({ kind: SESSION_JOB, payload: { ...payload }, owner: { userId, tenantId }, delaySeconds }, tx);
}
