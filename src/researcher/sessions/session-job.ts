import type { EntityManager } from 'typeorm';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobLimits } from '../../platform/jobs/job.types.js';
import type { ResearchSession } from './research-session.entity.js';

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
  const request = { kind: SESSION_JOB, payload: { ...payload }, owner };
  await jobs.enqueue({ ...request, delaySeconds, priority: -behind }, tx);
}
