import { JOB_SCHEMA } from './job-database.js';

/**
 * A condition of a statement: a job of a kind that is not over has a value in its payload. Where there is none,
 * nothing is done any more for what waits for that job: it was given up after its process had died of it, or deleted.
 * @param member of the payload that has the value
 * @param column of the value; none of these comes from outside
 */
export function hasUnfinishedJob(kind: string, member: string, column: string): string {
  return `EXISTS (
    SELECT FROM ${JOB_SCHEMA}.job j
    WHERE j.name = '${kind}' AND j.state < 'completed' AND j.data->'payload'->>'${member}' = ${column})`;
}
