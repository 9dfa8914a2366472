import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Gauge } from '../telemetry/metrics.js';
import { JOB_SCHEMA } from './job-database.js';

/** What users are told of a file, or of what is made of it, whose job waits for a server. */
export const NOT_SERVED =
  'The file is stored on a server that is not running. Processing continues when that server is back.';

/**
 * Of a job: it waits for the bytes of a store that no process has swept for two minutes, as each does with its own every ten
 * seconds. A new store may not have been swept yet.
 */
const UNSERVED = `
  j.state < 'active' AND NOT j.blocked AND j.data->>'store' IS NOT NULL AND j.created_on < now() - interval '30 seconds'
  AND NOT EXISTS (SELECT FROM blob_sweeps s WHERE s.store = j.data->>'store' AND s.claimed_until > now())`;
const COUNTS = `
  SELECT j.name AS kind, j.data->>'store' AS store, count(*)::integer AS count
  FROM ${JOB_SCHEMA}.job j WHERE ${UNSERVED} GROUP BY 1, 2 ORDER BY 1, 2`;

interface UnservedCount {
  readonly kind: string;
  readonly store: string;
  readonly count: number;
}

/** Counts the jobs that wait for files of servers that are not there, over all processes. */
export class UnservedJobs {
  private counts: readonly UnservedCount[] = [];
  private noted = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Logger,
  ) {}

  readonly gauge: Gauge = {
    name: 'platform_jobs_without_store',
    help: 'Jobs that wait for files in a store that no running process serves.',
    labels: ['kind'],
    read: () => [...sumByKind(this.counts)].map(([kind, value]) => ({ labels: { kind }, value })),
  };

  /** Whether there were any when they were last counted. */
  get hasAny(): boolean {
    return this.counts.length > 0;
  }

  /** Counts anew, and says in the log which stores are missing when these have changed. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<UnservedCount[]>(COUNTS);
    const stores = [...new Set(this.counts.map(({ store }) => store))].toSorted();
    if (this.noted === stores.join()) return;
    this.noted = stores.join();
    if (stores.length === 0) this.log.info('no job waits for a server with its files any more');
    else this.log.warn({ stores }, 'jobs wait for files that no running process has: start the server that has them');
  }
}

function sumByKind(counts: readonly UnservedCount[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { kind, count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return sums;
}

/** Rows of a table of which each waits for a job; all members are SQL, and none of these comes from outside. */
interface WaitingRows {
  /** It has an `id` and an `error`. */
  readonly table: string;
  /** Of those rows that may wait. */
  readonly where: string;
  readonly kind: string;
  /** Of the job's payload, with the id of the row. */
  readonly member: string;
}

/**
 * Says in the `error` of rows that their jobs wait for a server that is not there, and takes that back when it is.
 * @returns those that have changed
 */
export async function noteUnserved<Row extends object>(
  dataSource: DataSource,
  { table, where, kind, member }: WaitingRows,
): Promise<readonly Row[]> {
  const sql = `
    UPDATE ${table} r SET error = CASE WHEN w.waits THEN $1 END
    FROM (
      SELECT id AS row_id, u.id_of_row IS NOT NULL AS waits
      FROM ${table} LEFT JOIN (
        SELECT DISTINCT j.data->'payload'->>'${member}' AS id_of_row
        FROM ${JOB_SCHEMA}.job j WHERE j.name = '${kind}' AND ${UNSERVED}) u ON u.id_of_row = id
      WHERE ${where}) w
    WHERE r.id = w.row_id AND ${where}
      AND CASE WHEN w.waits THEN r.error IS DISTINCT FROM $1 ELSE r.error = $1 END
    RETURNING r.*`;
  const [rows] = await dataSource.query<[Row[], number]>(sql, [NOT_SERVED]);
  return rows;
}
