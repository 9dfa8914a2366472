import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../access/audit-actor.js';
import type { Caller } from '../access/caller.js';
import type { AuditRecorder } from '../platform/audit/audit-recorder.js';
import { BadRequest, Conflict, NotFound } from '../errors.js';
import { readPage } from '../graph/connection.js';
import type { Connection, PageArgs } from '../graph/connection.js';
import { isId } from '../platform/ids.js';
import type { JobQueue } from '../platform/jobs/job-queue.js';
import type { JobFilter, JobRecords } from '../platform/jobs/job-records.js';
import type { JobRecord } from '../platform/jobs/job.types.js';
import type { BackgroundJob } from './job.types.js';

/** Shows sysadmins the jobs of the whole installation, and lets them try failed ones again. */
export class JobsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: Pick<JobQueue, 'retry' | 'delete'>,
    private readonly records: JobRecords,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * A page of the jobs that fit.
   * @throws BadRequest for a page that cannot be
   */
  list(filter: JobFilter, page: PageArgs): Promise<Connection<BackgroundJob>> {
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: async (limit, after, order) => {
        if (after !== undefined && !isId('job', after)) {
          throw new BadRequest('after is no cursor of this list.', 'after');
        }
        return (await this.records.list(filter, limit, after, order)).map(toJob);
      },
      count: (limit) => this.records.count(filter, limit),
    });
  }

  /**
   * Tries a job again that has failed or was cancelled.
   * @throws NotFound; Conflict for a job that is neither
   */
  async retry(caller: Caller, id: string): Promise<BackgroundJob> {
    const { kind } = await this.find(id);
    await this.dataSource.transaction(async (tx) => {
      if (!(await this.queue.retry(tx, kind, id))) {
        throw new Conflict('conflict', 'Only a job that has failed or was cancelled can be tried again.');
      }
      await this.record(tx, caller, 'job.retry', id);
    });
    return toJob(await this.find(id));
  }

  /**
   * Deletes a job that is not running.
   * @throws NotFound; Conflict for a job that runs
   */
  async delete(caller: Caller, id: string): Promise<void> {
    const { kind, status } = await this.find(id);
    await this.dataSource.transaction(async (tx) => {
      if (status === 'running' || !(await this.queue.delete(tx, kind, id))) {
        throw new Conflict('conflict', 'A job that is running cannot be deleted.');
      }
      await this.record(tx, caller, 'job.delete', id);
    });
  }

  private record(tx: EntityManager, caller: Caller, action: `job.${string}`, id: string): Promise<void> {
    return this.audit.record(tx, actorOf(caller), { tenantId: null, action, target: { type: 'job', id } });
  }

  private async find(id: string): Promise<JobRecord> {
    const job = isId('job', id) ? await this.records.find(id) : undefined;
    if (job) return job;
    throw new NotFound('The job does not exist.');
  }
}

function toJob({ owner, ...job }: JobRecord): BackgroundJob {
  return { ...job, object: 'job', tenantId: owner?.tenantId ?? null, userId: owner?.userId ?? null };
}
