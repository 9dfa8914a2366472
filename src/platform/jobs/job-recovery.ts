import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { fromUuid, toUuid } from '../ids.js';
import { JOB_SCHEMA } from './job-database.js';
import type { AbandonedJob, JobLeases } from './job-leases.js';

/** A job is given up when so many processes have died while they did it: it may be what ends them. */
const MAX_DEATHS = 4;
const DIED = 'The process that did this job died.';
const GIVEN_UP = `${MAX_DEATHS} processes died while they did this job.`;

/** Each attempt whose process is dead is noted once, whoever finds it first; the last one allowed is the last of all. */
const NOTE_DEATH = `
  UPDATE ${JOB_SCHEMA}.job j SET
    data = jsonb_set(j.data, '{deaths}', COALESCE(j.data->'deaths', '[]') || to_jsonb(l.retry_count)),
    retry_limit = CASE WHEN jsonb_array_length(COALESCE(j.data->'deaths', '[]')) + 1 < $3 THEN j.retry_limit
                       ELSE LEAST(j.retry_limit, j.retry_count) END
  FROM job_leases l
  WHERE j.name = $1 AND j.id = $2 AND l.job_id = j.id
    AND NOT COALESCE(j.data->'deaths', '[]') @> to_jsonb(l.retry_count)
    AND NOT EXISTS (SELECT FROM processes p WHERE p.id = l.process_id AND p.alive_until > now())`;
const COUNT_DEATHS = `
  SELECT jsonb_array_length(COALESCE(data->'deaths', '[]')) AS deaths FROM ${JOB_SCHEMA}.job WHERE name = $1 AND id = $2`;
const FORGET_DEATHS = `UPDATE ${JOB_SCHEMA}.job SET data = data - 'deaths' WHERE name = $1 AND id = $2`;

interface JobRecoveryParts {
  readonly dataSource: DataSource;
  readonly boss: PgBoss;
  readonly leases: JobLeases;
  readonly log: Logger;
}

/** Tries the jobs of dead processes again, but those of which too many have died. */
export class JobRecovery {
  constructor(private readonly parts: JobRecoveryParts) {}

  /** Takes the jobs of dead processes for failed, so that they are tried again. */
  async recover(): Promise<void> {
    const { boss, leases } = this.parts;
    for (const job of await leases.abandoned()) {
      const { jobId: id, kind, retryCount } = job;
      const isGivenUp = await this.isGivenUp(job);
      await boss.fail(kind, { id, retryCount }, { message: isGivenUp ? GIVEN_UP : DIED });
      await leases.forget(job);
    }
  }

  /**
   * To be called before an attempt.
   * @throws Error where the job is given up; it may be stored
   */
  async requireHarmless(job: AbandonedJob): Promise<void> {
    // The first attempt has none before it.
    if (job.retryCount > 0 && (await this.isGivenUp(job))) throw new Error(GIVEN_UP);
  }

  /** Lets a job be tried as if no process had died of it. @param id as clients know it */
  async forgive(tx: EntityManager, kind: string, id: string): Promise<void> {
    await tx.query(FORGET_DEATHS, [kind, toUuid(id)]);
  }

  private async isGivenUp({ kind, jobId }: AbandonedJob): Promise<boolean> {
    const { dataSource, log } = this.parts;
    await dataSource.query(NOTE_DEATH, [kind, jobId, MAX_DEATHS]);
    const [row] = await dataSource.query<{ deaths: number }[]>(COUNT_DEATHS, [kind, jobId]);
    if ((row?.deaths ?? 0) < MAX_DEATHS) return false;
    log.error({ job: fromUuid('job', jobId), kind }, 'a job was given up: too many processes died while they did it');
    return true;
  }
}
