import type { EntityManager } from 'typeorm';
import type { JsonObject } from '../json/json-object.js';
import { JOB_SCHEMA } from './job-database.js';

/**
 * Deletes the jobs of a kind that wait and would have nothing to do any more, when the transaction is committed.
 * @param given members of their payload
 */
export async function deleteWaitingJobs(tx: EntityManager, kind: string, given: JsonObject): Promise<void> {
  // As the index of what waits has it.
  const waiting = "state < 'active' AND NOT blocked";
  const sql = `DELETE FROM ${JOB_SCHEMA}.job WHERE name = $1 AND ${waiting} AND data->'payload' @> $2::jsonb`;
  await tx.query(sql, [kind, JSON.stringify(given)]);
}
