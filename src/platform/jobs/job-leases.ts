import type { DataSource, EntityManager } from 'typeorm';
import { JOB_SCHEMA } from './job-database.js';

/** Whoever has it gives it up by its death alone; and only the living take it. What this process has left it takes again. */
const TAKE = `
  INSERT INTO job_leases AS l (job_id, kind, process_id, retry_count)
  SELECT $1::uuid, $2, id, $4::integer FROM processes WHERE id = $3 AND alive_until > now()
  ON CONFLICT (job_id) DO UPDATE SET process_id = excluded.process_id, retry_count = excluded.retry_count
  WHERE l.process_id = excluded.process_id
    OR NOT EXISTS (SELECT FROM processes p WHERE p.id = l.process_id AND p.alive_until > now())
  RETURNING job_id`;

const OF_DEAD_PROCESSES = `
  SELECT job_id AS "jobId", kind, retry_count AS "retryCount" FROM job_leases l
  WHERE NOT EXISTS (SELECT FROM processes p WHERE p.id = l.process_id AND p.alive_until > now())
  LIMIT 100`;

/** A job that nobody does any more. */
export interface AbandonedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly retryCount: number;
}

/** Which jobs are being done, and by which process: a job is done by one at a time. */
export class JobLeases {
  constructor(
    private readonly dataSource: DataSource,
    private readonly processId: string,
  ) {}

  /** Takes a job for this process. @returns whether no other process that is alive has it */
  async take({ jobId, kind, retryCount }: AbandonedJob): Promise<boolean> {
    const rows = await this.dataSource.query<object[]>(TAKE, [jobId, kind, this.processId, retryCount]);
    return rows.length > 0;
  }

  /** Gives a job back that is done, or failed. */
  async release(jobId: string): Promise<void> {
    const values = [jobId, this.processId];
    await this.dataSource.query('DELETE FROM job_leases WHERE job_id = $1 AND process_id = $2', values);
  }

  /** Gives all jobs back that are not active any more, as those are not that an orderly stop interrupts. */
  async releaseAll(): Promise<void> {
    const sql = `
      DELETE FROM job_leases l WHERE process_id = $1
        AND NOT EXISTS (SELECT FROM ${JOB_SCHEMA}.job j WHERE j.name = l.kind AND j.id = l.job_id AND j.state = 'active')`;
    await this.dataSource.query(sql, [this.processId]);
  }

  /**
   * To be called first in a transaction of a job; nobody takes the job over before that ends.
   * @throws Error where the job is another process's
   */
  async require(tx: EntityManager, jobId: string): Promise<void> {
    const sql = 'SELECT FROM job_leases WHERE job_id = $1 AND process_id = $2 FOR UPDATE';
    const rows = await tx.query<object[]>(sql, [jobId, this.processId]);
    if (rows.length === 0) throw new Error('Another process has taken this job over.');
  }

  /** The jobs of processes that are dead; at most 100. */
  abandoned(): Promise<AbandonedJob[]> {
    return this.dataSource.query<AbandonedJob[]>(OF_DEAD_PROCESSES);
  }

  /** Forgets a job whose process is dead. */
  async forget({ jobId, retryCount }: AbandonedJob): Promise<void> {
    const sql = `
      DELETE FROM job_leases l WHERE job_id = $1 AND retry_count = $2
        AND NOT EXISTS (SELECT FROM processes p WHERE p.id = l.process_id AND p.alive_until > now())`;
    await this.dataSource.query(sql, [jobId, retryCount]);
  }
}
