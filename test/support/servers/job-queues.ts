import { repeat } from '../../../src/platform/async/periodic.js';
import type { Periodic } from '../../../src/platform/async/periodic.js';
import { BlobRows } from '../../../src/platform/blobs/blob-rows.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import { toUuid } from '../../../src/platform/ids.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import type { FileStores } from '../../../src/platform/jobs/job-stores.js';
import { JobRecords } from '../../../src/platform/jobs/job-records.js';
import type { JobHandler, JobOwner, JobStatus, LimitedJobHandler } from '../../../src/platform/jobs/job.types.js';
import { openTestDatabase } from './database.js';
import type { OpenTestDatabase } from './database.js';
import { eventually } from '../probes/eventually.js';
import { silentLog } from '../probes/silent-log.js';

/** Queues of several processes on one database, for jobs of one kind. */
export class JobQueues {
  readonly records: JobRecords;
  private readonly queues = new Map<string, JobQueue>();
  private readonly looking: Periodic[] = [];

  private constructor(
    readonly opened: OpenTestDatabase,
    private readonly kind: string,
  ) {
    this.records = new JobRecords(this.dataSource, () => [kind]);
  }

  static async open(kind = 'work'): Promise<JobQueues> {
    return new JobQueues(await openTestDatabase(), kind);
  }

  get dataSource(): OpenTestDatabase['database']['dataSource'] {
    return this.opened.database.dataSource;
  }

  /**
   * Starts the queue of a process.
   * @param permits default: everybody
   * @param storeId where the process has files; default: nowhere
   */
  async start(
    handler: JobHandler | LimitedJobHandler,
    {
      permits = async (_owner: JobOwner) => true,
      isKnown = async (_userId: string) => true,
      processId = 'this',
      storeId = undefined as string | undefined,
      log = silentLog,
    } = {},
  ): Promise<JobQueue> {
    const sql = "INSERT INTO processes (id, alive_until) VALUES ($1, now() + interval '1 hour') ON CONFLICT DO NOTHING";
    await this.dataSource.query(sql, [processId]);
    const { database } = this.opened;
    const lease = { id: processId, isPastGracePeriod: true };
    const queue = new JobQueue({ database, lease, topics: new MemoryTopics(), blobs: this.storesOf(storeId), log });
    this.queues.set(processId, queue);
    await queue.start({ handlers: new Map([[this.kind, handler]]), permits, isKnown });
    const due = queue.tasks.find(({ name }) => name === 'looking for jobs that are due');
    if (due) this.looking.push(repeat(due.name, due.intervalMs, silentLog, () => due.run()));
    return queue;
  }

  /** Stores a file, in the store of a process. */
  async addFile(key: string, store: string): Promise<void> {
    const sql = `INSERT INTO blobs (key, kind, size_bytes, sha256, state, process_id, store, created_at)
      VALUES ($1, 'test', 1, '00', 'kept', 'this', $2, now())`;
    await this.dataSource.query(sql, [key, store]);
  }

  private storesOf(storeId: string | undefined): FileStores {
    const rows = new BlobRows(this.dataSource, 'this');
    return { storeId: async () => storeId, storeOf: (key, manager) => rows.storeOf(key, manager) };
  }

  /** Lets a process stand still for longer than its lease: it takes no jobs, and what it does goes on when it likes. */
  async freeze(processId: string): Promise<void> {
    await this.queues.get(processId)?.['boss'].offWork(this.kind, { wait: false });
    await this.dataSource.query('UPDATE processes SET alive_until = now() WHERE id = $1', [processId]);
  }

  /** Ends the pause before the next attempt, and lets the processes look for jobs at once. */
  async makeDue(id: string): Promise<void> {
    await this.dataSource.query('UPDATE jobs.job SET start_after = now() WHERE id = $1', [toUuid(id)]);
    for (const queue of this.queues.values()) queue['wake'](this.kind);
  }

  /** Lets a job have failed for good. */
  async exhaust(id: string): Promise<void> {
    await this.dataSource.query("UPDATE jobs.job SET state = 'failed', retry_count = 8 WHERE id = $1", [toUuid(id)]);
  }

  async untilStatus(id: string, status: JobStatus): Promise<void> {
    await eventually(`the job is ${status}`, 20, async () => (await this.records.find(id))?.status === status);
  }

  async close(): Promise<void> {
    await Promise.all(this.looking.map((task) => task.stop()));
    await Promise.all([...this.queues.values()].map((queue) => queue.stop()));
    await this.opened.close();
  }
}
