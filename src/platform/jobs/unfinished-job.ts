import { JOB_SCHEMA } from './job-database.js';

/**
 * A condition of a statement: a job of a kind that is not over has a value in its payload. Where there is none,
 * nothing is done any more for what waits for that job: it was given up after its process had died of it, was cancelled,
 * or deleted.
 * @param member of the payload that has the value
 * @param column of the value; none of these comes from outside
 */
export function hasUnfinishedJob(kind: string, member: string, column: string): string {
  return hasJob("j.state < 'completed'", kind, member, column);
}

/** The same of a job that was cancelled, since its user might not use the platform when it would have begun. */
export function hasCancelledJob(kind: string, member: string, column: string): string {
  return hasJob("j.state = 'cancelled'", kind, member, column);
}

function hasJob(condition: string, kind: string, member: string, column: string): string {
  return `EXISTS (
    SELECT FROM ${JOB_SCHEMA}.job j
    WHERE j.name = '${kind}' AND ${condition} AND j.data->'payload'->>'${member}' = ${column})`;
}
