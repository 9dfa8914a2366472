import type { DataSource, EntityManager } from 'typeorm';
import type { JsonObject } from '../json/json-object.js';
import { JOB_SCHEMA } from './job-database.js';
import { isForStore } from './job-stores.js';

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

/** Jobs wait for so long until somebody is asked to give a place back to them. */
const WAIT_SECONDS = 5;

/**
 * Of a job that waits, and that this process may run: the user whom it is about has no running job, and its tenant has a
 * place left, or is the tenant that asks.
 */
const OTHERS_WAIT = `
  SELECT EXISTS (
    SELECT FROM ${JOB_SCHEMA}.job j
    WHERE j.name = $1 AND j.state < 'active' AND j.start_after < now() - interval '${WAIT_SECONDS} seconds'
      AND j.data->>'about' <> $2 AND ${isForStore('j.data', '$5')}
      AND NOT EXISTS (
        SELECT FROM ${JOB_SCHEMA}.job a
        WHERE a.name = $1 AND a.state = 'active' AND a.data->>'about' = j.data->>'about')
      AND (j.group_id = $3 OR (
        SELECT count(*) FROM ${JOB_SCHEMA}.job a
        WHERE a.name = $1 AND a.state = 'active' AND a.group_id = j.group_id) < $4)
  ) AS "othersWait"`;

/** Whose job has a place. */
export interface PlaceHolder {
  readonly kind: string;
  readonly tenantId: string;
  /** Whom the job is about. */
  readonly userId: string;
  /** Of files that this process has. */
  readonly store: string | undefined;
}

/**
 * Tells whether others, who have no job of a kind that is running, have waited for a while for a place that a job has.
 * @param atOnceForTenant as the kind's handler has it
 */
export async function othersWait(
  dataSource: DataSource,
  { kind, tenantId, userId, store = '' }: PlaceHolder,
  atOnceForTenant: number,
): Promise<boolean> {
  const [row] = await dataSource.query<{ othersWait: boolean }[]>(OTHERS_WAIT, [
    kind,
    userId,
    tenantId,
    atOnceForTenant,
    store,
  ]);
  return row?.othersWait === true;
}
