import type { DataSource, EntityManager } from 'typeorm';
import { JOB_SCHEMA } from './job-database.js';

/** A job that is over is known for a while, but not what it was to do: that may be somebody's data. */
const FORGET_COMPLETED = `
  UPDATE ${JOB_SCHEMA}.job SET data = data - 'payload' - 'about' - 'blobKey' - 'store'
  WHERE state = 'completed' AND data ?| ARRAY['payload', 'about']`;
/** Nobody does anything about one, and one file may have had hundreds that waited for its model. */
const DELETE_COMPLETED = `
  DELETE FROM ${JOB_SCHEMA}.job WHERE state = 'completed' AND completed_on < now() - interval '1 day'`;
const DELETE_OF_USER = `
  DELETE FROM ${JOB_SCHEMA}.job
  WHERE state <> 'active' AND (data->'owner'->>'userId' = $1 OR data->>'about' = $1)`;
/** Nobody: a job without an owner would be the server's own, and be done whoever may not sign in. */
const FORGET_OWNER = `
  UPDATE ${JOB_SCHEMA}.job SET data = jsonb_set(data, '{owner,userId}', '""') WHERE data->'owner'->>'userId' = $1`;
const OF_USER = `
  SELECT FROM ${JOB_SCHEMA}.job WHERE data->'owner'->>'userId' = $1 OR data->>'about' = $1 LIMIT 1`;

/** Forgets what completed jobs were given, and a day later the jobs themselves. */
export async function forgetCompletedJobs(dataSource: DataSource): Promise<void> {
  await dataSource.query(FORGET_COMPLETED);
  await dataSource.query(DELETE_COMPLETED);
}

/**
 * Deletes the jobs of a user, and those about it. Those of it that run lose their owner: they are not tried again.
 * @throws Error where one about it is running, or has just failed: what that was given goes when it is over
 */
export async function deleteJobsOfUser(tx: EntityManager, userId: string): Promise<void> {
  await tx.query(DELETE_OF_USER, [userId]);
  await tx.query(FORGET_OWNER, [userId]);
  if ((await tx.query<object[]>(OF_USER, [userId])).length === 0) return;
  throw new Error('A job of a deleted user, or about one, is still running.');
}
