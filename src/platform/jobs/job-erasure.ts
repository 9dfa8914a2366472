import type { DataSource, EntityManager } from 'typeorm';
import { JOB_SCHEMA } from './job-database.js';

/** A job that is over is known for a while, but not what it was to do: that may be somebody's data. */
const FORGET_COMPLETED = `
  UPDATE ${JOB_SCHEMA}.job SET data = data - 'payload' - 'about'
  WHERE state = 'completed' AND data ?| ARRAY['payload', 'about']`;
const DELETE_OF_USER = `
  DELETE FROM ${JOB_SCHEMA}.job
  WHERE state <> 'active' AND (data->'owner'->>'userId' = $1 OR data->>'about' = $1)`;
const ABOUT_USER = `SELECT FROM ${JOB_SCHEMA}.job WHERE data->>'about' = $1 LIMIT 1`;

/** Forgets what completed jobs were given. */
export async function forgetCompletedJobs(dataSource: DataSource): Promise<void> {
  await dataSource.query(FORGET_COMPLETED);
}

/**
 * Deletes the jobs of a user, and those about it.
 * @throws Error where one about it is running: what that was given goes when it is over
 */
export async function deleteJobsOfUser(tx: EntityManager, userId: string): Promise<void> {
  await tx.query(DELETE_OF_USER, [userId]);
  if ((await tx.query<object[]>(ABOUT_USER, [userId])).length === 0) return;
  throw new Error('A job about a deleted user is still running.');
}
