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
 * @param when `delaySeconds`: it is not done before; `behind`: how many others its owner has that are not over, and sessions
 * of those who have fewer go first; default: 0
 */
export async function enqueueSession(
  tx: EntityManager,
  jobs: Pick<JobQueue, 'enqueue'>,
  { id: sessionId, run, ownerId: userId, tenantId }: Pick<ResearchSession, 'id' | 'run' | 'ownerId' | 'tenantId'>,
  { delaySeconds = 0, behind = 0 }: { readonly delaySeconds?: number; readonly behind?: number } = {},
): Promise<void> {
  const payload: SessionPayload = { sessionId, run };
  const owner = { userId, tenantId };
  await jobs.enqueue({ kind: SESSION_JOB, payload: { ...payload }, owner, delaySeconds, priority: -behind }, tx);
}
