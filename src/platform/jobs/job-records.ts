import sql, { join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';
import { countAtMost } from '../database/count-at-most.js';
import { fromUuid, toUuid } from '../ids.js';
import type { JobOwner, JobRecord, JobStatus } from './job.types.js';

interface JobRow extends Omit<JobRecord, 'id' | 'owner'> {
  readonly uuid: string;
  readonly owner: JobOwner | null;
}

/** Which jobs are wanted. */
export interface JobFilter {
  readonly status?: JobStatus;
  readonly kind?: string;
}

/** Of the schema `JOB_SCHEMA`. */
const TABLE = sql`jobs.job`;
const STATUS = sql`
  CASE state::text WHEN 'created' THEN 'waiting' WHEN 'retry' THEN 'retrying' WHEN 'active' THEN 'running'
       ELSE state::text END`;
const COLUMNS = sql`
  id AS uuid, name AS kind, ${STATUS} AS status, data->'owner' AS owner, retry_limit + 1 AS "maxAttempts",
  retry_count + (started_on IS NOT NULL)::integer AS attempts,
  CASE WHEN state IN ('retry', 'failed') THEN left(output->>'message', 500) END AS error,
  created_on AS "createdAt", started_on AS "startedAt", completed_on AS "finishedAt",
  CASE WHEN state IN ('created', 'retry') THEN start_after END AS "runAt"`;

/** Reads what is known of jobs. */
export class JobRecords {
  /** @param kinds those that there are; the queue has some of its own */
  constructor(
    private readonly dataSource: DataSource,
    private readonly kinds: () => readonly string[],
  ) {}

  /** At most `limit` jobs behind the one with the id `after`, or from the start, in this order of their making. */
  async list(filter: JobFilter, limit: number, after: string | undefined, order: 'asc' | 'desc'): Promise<JobRecord[]> {
    const behind = order === 'asc' ? sql`>` : sql`<`;
    const conditions = [...this.conditions(filter), ...(after ? [sql`id ${behind} ${toUuid(after)}::uuid`] : [])];
    const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
    return this.read(sql`WHERE ${join(conditions, ' AND ')} ORDER BY id ${direction} LIMIT ${limit}`);
  }

  /** How many there are, counted to at most `limit`. */
  count(filter: JobFilter, limit: number): Promise<number> {
    const conditions = join(this.conditions(filter), ' AND ');
    return countAtMost(this.dataSource, sql`SELECT FROM ${TABLE} WHERE ${conditions}`, limit);
  }

  async find(id: string): Promise<JobRecord | undefined> {
    const [found] = await this.read(sql`WHERE ${join(this.conditions({}), ' AND ')} AND id = ${toUuid(id)}::uuid`);
    return found;
  }

  private conditions({ status, kind }: JobFilter): Sql[] {
    return [
      sql`name = ANY (${[...this.kinds()]})`,
      ...(kind === undefined ? [] : [sql`name = ${kind}`]),
      ...(status === undefined ? [] : [sql`${STATUS} = ${status}`]),
    ];
  }

  private async read(rest: Sql): Promise<JobRecord[]> {
    const { text, values } = sql`SELECT ${COLUMNS} FROM ${TABLE} ${rest}`;
    const rows = await this.dataSource.query<JobRow[]>(text, values);
    return rows.map(({ uuid, owner, ...row }) => {
      // Who was deleted is nobody's name any more.
      return { id: fromUuid('job', uuid), owner: owner?.userId ? owner : undefined, ...row };
    });
  }
}
