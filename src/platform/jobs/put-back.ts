import type { DataSource } from 'typeorm';
import type { JsonObject } from '../json/json-object.js';
import { JOB_SCHEMA } from './job-database.js';

/**
 * The least time for which a job that was put back is left alone, in seconds: soon after it was, the queue tells the end of
 * that claim, which nobody else may have taken over by then.
 */
export const PUT_BACK_SECONDS = 2;

const PUT_BACK = `
  UPDATE ${JOB_SCHEMA}.job SET start_after = now() + make_interval(secs => $4), data = data || $5::jsonb,
    started_on = NULL, heartbeat_on = NULL,
    state = CASE WHEN retry_count > 0 THEN 'retry' ELSE 'created' END::${JOB_SCHEMA}.job_state
  WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;

/** One attempt of a job. */
export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  readonly retryCount: number;
}

/**
 * Puts a job that this process has claimed back into the queue, as if it had not begun.
 * @param seconds it is not begun before, `PUT_BACK_SECONDS` or more
 * @param members what is stored of it from now on
 */
export async function putBack(
  dataSource: DataSource,
  { name, id, retryCount }: ClaimedJob,
  seconds: number,
  members: JsonObject,
): Promise<void> {
  await dataSource.query(PUT_BACK, [name, id, retryCount, seconds, JSON.stringify(members)]);
}
