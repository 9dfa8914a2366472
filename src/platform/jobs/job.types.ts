import type { EntityManager } from 'typeorm';
import type { JsonObject } from '../json/json-object.js';

/** For whom a job works. */
export interface JobOwner {
  readonly userId: string;
  readonly tenantId: string;
}

/** What is to be done later. */
export interface JobRequest {
  /** Whose handler does it. */
  readonly kind: string;
  /** What the handler needs to know. It lies in the database as it is: secrets in it must be sealed. */
  readonly payload: JsonObject;
  /** The job is not done once its user may not sign in any more. Undefined: it is the server's own. */
  readonly owner?: JobOwner;
  /** It is not done before; 0 unless it is given. */
  readonly delaySeconds?: number;
  /** Those with a higher one are done first, -1,000 to 0; 0 unless it is given. */
  readonly priority?: number;
  /** Whose share of the workers it takes; default: that of the owner's tenant. */
  readonly tenantId?: string;
  /** The id of the user whom it tells something about; it is deleted with the user. */
  readonly about?: string;
  /** The blob whose bytes it needs: only a process that has them does it. */
  readonly blobKey?: string;
}

/** A job that is being done. */
export interface Job {
  readonly id: string;
  readonly payload: JsonObject;
  readonly owner: JobOwner | undefined;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the process stops, or the job has taken too long. */
  readonly signal: AbortSignal;
  /**
   * To be called before anything is done with the bytes of a blob, which the job may not have been known to need when it was
   * put into the queue. The error is to reach the queue.
   * @throws FileElsewhere where another process has them: the job is left to that one, as if it had not begun here
   */
  requireFile(blobKey: string): Promise<void>;
  /** Tells those who watch the job how far it is. */
  report(progress: JsonObject): void;
  /**
   * Runs a transaction that is committed only while the job is this process's: one that stood still for longer than its
   * lease may go on after another has taken the job over.
   * @throws Error where the job is another process's
   */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
}

/** Does jobs of one kind. A job may be done again from its beginning, after a failure or a crash in the middle. */
export type JobHandler = (job: Job) => Promise<void>;

/** How many jobs of a kind a process does at once. */
export interface JobLimits {
  readonly atOnce: number;
  /** Fewer, so that one tenant's jobs leave a place to others. */
  readonly atOnceForTenant: number;
  /** Fewer still, of jobs that have an owner or are about a user; default: no limit, so that an administrator has something done for many tenants. */
  readonly atOnceForUser?: number;
}

/** Does jobs of a kind with limits of its own. */
export interface LimitedJobHandler extends JobLimits {
  readonly run: JobHandler;
}

/** What does the jobs. */
export interface JobWorkers {
  /** By the kind of job. */
  readonly handlers: ReadonlyMap<string, JobHandler | LimitedJobHandler>;
  /** Whether jobs may still be done for a user. */
  permits(owner: JobOwner): Promise<boolean>;
  /** Whether there still is a user; what is to be done about one who was deleted is not done. */
  isKnown(userId: string): Promise<boolean>;
}

/** How a job stands. `waiting` has not begun, `retrying` waits for its next attempt, `failed` has none left. */
export const JOB_STATUSES = ['waiting', 'retrying', 'running', 'completed', 'failed', 'cancelled'] as const;
/** One of them. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** What is known of a job. */
export interface JobRecord {
  readonly id: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly owner: JobOwner | undefined;
  /** How often it has been begun. */
  readonly attempts: number;
  /** How often it may be. */
  readonly maxAttempts: number;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly createdAt: Date;
  /** Of the last attempt. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** When the next attempt may begin, of a job that waits. */
  readonly runAt: Date | null;
}
