import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobLimits } from '../../platform/jobs/job.types.js';
import type { ResearchSession } from './research-session.entity.js';

/** The kind of jobs that do research sessions. */
export const SESSION_JOB = 'researcher.session';

/** Shares of the places that each tenant has. All sessions of a user take the same one. */
const SHARES = 6;

/**
 * A session waits for the network and its model most of the time, and may do so for an hour: a user has two places, a
 * tenant half of them.
 */
export const SESSION_LIMITS: JobLimits = { atOnce: 4 * SHARES, atOnceForTenant: 2 };

/** What a job that does a session is given. */
export interface SessionPayload {
  readonly sessionId: string;
  /** A job of an earlier run than the session's has nothing to do any more. */
  readonly run: number;
}

/** The share of the places of their tenant that the sessions of a user take. */
export function shareOf(userId: string): number {
  return createHash('sha256').update(userId).digest().readUInt32BE() % SHARES;
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
  const request = { kind: SESSION_JOB, payload: { ...payload }, owner, share: shareOf(userId) };
  await jobs.enqueue({ ...request, delaySeconds, priority: -behind }, tx);
}
