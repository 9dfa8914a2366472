import { PgBoss } from 'pg-boss';
import type { Job as StoredJob } from 'pg-boss';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { PlatformError } from '../../errors.js';
import { unlessAborted } from '../async/unless-aborted.js';
import type { Topics } from '../cluster/topics.js';
import type { ProcessLease } from '../cluster/process-lease.js';
import type { Database } from '../database/database.js';
import { fromUuid, newId, toUuid } from '../ids.js';
import type { JsonObject } from '../json/json-object.js';
import { systemCode } from '../operational-error.js';
import type { CheckState } from '../telemetry/health.js';
import type { Gauge } from '../telemetry/metrics.js';
import type { PeriodicTask } from '../async/periodic.js';
import { dueKinds } from './due-jobs.js';
import { JOB_SCHEMA, jobDatabase, jobTransaction } from './job-database.js';
import { forgetCompletedJobs } from './job-erasure.js';
import { JobGauge } from './job-gauge.js';
import { JobLeases } from './job-leases.js';
import { JobRecovery } from './job-recovery.js';
import { FileElsewhere, followFiles, requireFile } from './job-stores.js';
import type { FileStores, StoredFile } from './job-stores.js';
import { startOnJobTables } from './job-tables.js';
import { PUT_BACK_SECONDS, putBack } from './put-back.js';
import { QueueDatabase } from './queue-database.js';
import { RETRIES } from './queue-options.js';
import { UnservedJobs } from './unserved-jobs.js';
import { UserPlaces } from './user-places.js';
import type { Job, JobHandler, JobLimits, JobOwner, JobRequest, JobWorkers } from './job.types.js';

/** Unless a kind has limits of its own. */
const LIMITS: JobLimits = { atOnce: 3, atOnceForTenant: 2 };
/** Wakes come at once from the process that enqueues: this is for retries, and for what other processes enqueue. */
const DUE_MS = 1_000;
/** How often each worker polls by itself, in case a wake-up was lost. Polling more often is what an idle server spent its time on. */
const POLL_SECONDS = 60;
const RECOVERY_MS = 2_000;
const FORGET_MS = 60_000;
/** How soon a job is known to have lost its file, or that the file lies elsewhere. */
const FOLLOW_MS = 30_000;
/** How often jobs are looked for whose process died before it had a lease of them: their heartbeats have stopped. */
const SUPERVISE_MS = 20_000;
const COUNT_MS = 10_000;
/** How long jobs may go on when the process stops. */
const STOP_MS = 2_000;

interface JobQueueParts {
  readonly database: Database;
  readonly lease: { readonly id: string } & Pick<ProcessLease, 'isPastGracePeriod'>;
  readonly topics: Topics;
  readonly blobs: FileStores;
  readonly log: Logger;
}

/** What is stored of a job. */
interface StoredRequest extends StoredFile {
  readonly payload: JsonObject;
  readonly owner?: JobOwner;
  readonly about?: string;
}

/** What is asked before each attempt. */
type JobAsks = Omit<JobWorkers, 'handlers'>;

/**
 * The queue of what is done later: durable, enqueued in the transaction that needs it, tried again after a failure, and
 * after the death of the process that did it. A job is done by one process at a time.
 */
export class JobQueue {
  private readonly boss: PgBoss;
  private readonly db: QueueDatabase;
  private readonly leases: JobLeases;
  private readonly recovery: JobRecovery;
  private readonly counts: JobGauge;
  private readonly unserved: UnservedJobs;
  private readonly begunKinds: string[] = [];
  private isStarted = false;
  /** The jobs that this process does, as the queue's table names them. */
  private readonly running = new Set<string>();

  constructor(private readonly parts: JobQueueParts) {
    const { blobs, database, lease, log } = parts;
    this.leases = new JobLeases(database.dataSource, lease.id);
    this.counts = new JobGauge(database.dataSource, () => this.kinds);
    this.unserved = new UnservedJobs(database.dataSource, log);
    this.db = new QueueDatabase({ db: jobDatabase(database.dataSource), blobs, log });
    // Rebuilding indexes is nothing that a transaction, or the embedded database, can do.
    const maintenance = { schedule: false, reindex: false, monitorVacuum: false, supervise: false } as const;
    const monitorIntervalSeconds = SUPERVISE_MS / 1_000 / 2;
    this.boss = new PgBoss({ db: this.db, schema: JOB_SCHEMA, migrate: false, ...maintenance, monitorIntervalSeconds });
    this.recovery = new JobRecovery({ boss: this.boss, leases: this.leases, dataSource: database.dataSource, log });
    // That the database is away is told once.
    this.boss.on('error', (error) => {
      if (!this.db.isAway) log.warn({ err: error }, 'the job queue failed, and tries again');
    });
    this.boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue is not well'));
  }

  /** The kinds of jobs that are done here. */
  get kinds(): readonly string[] {
    return this.begunKinds;
  }

  /** How many jobs there are, and how many of them wait for a server that has their files. */
  get gauges(): readonly Gauge[] {
    return [this.counts.gauge, this.unserved.gauge];
  }

  /** Settles what dead processes have left, and forgets what nobody needs any more. */
  get tasks(): readonly PeriodicTask[] {
    const { dataSource } = this.parts.database;
    const whenStarted = (run: () => Promise<unknown>) => async (): Promise<void> => {
      if (this.isStarted) await run();
    };
    const count = whenStarted(() => Promise.all([this.counts.refresh(), this.unserved.refresh()]));
    const supervise = whenStarted(() => this.boss.supervise());
    const follow = whenStarted(() => followFiles(dataSource));
    const forget = whenStarted(() => forgetCompletedJobs(dataSource));
    return [
      { name: 'looking for jobs that are due', intervalMs: DUE_MS, run: whenStarted(() => this.wakeDue()) },
      {
        name: 'taking over the jobs of dead processes',
        intervalMs: RECOVERY_MS,
        run: whenStarted(() => this.recover()),
      },
      { name: 'failing jobs without a heartbeat', intervalMs: SUPERVISE_MS, run: supervise },
      { name: 'counting jobs', intervalMs: COUNT_MS, run: count },
      { name: 'updating the file stores of waiting jobs', intervalMs: FOLLOW_MS, run: follow },
      { name: 'forgetting completed jobs', intervalMs: FORGET_MS, run: forget },
    ];
  }

  /**
   * Makes the tables of the queue where they are missing, and does jobs from now on.
   * @throws OperationalError as `startOnJobTables` says
   */
  async start({ handlers, ...asks }: JobWorkers): Promise<void> {
    const { blobs, database } = this.parts;
    await startOnJobTables(this.boss, database.dataSource, [...handlers.keys()]);
    this.isStarted = true;
    for (const [kind, handler] of handlers) {
      const { run, ...limits } = typeof handler === 'function' ? { run: handler, ...LIMITS } : handler;
      const { atOnce: localConcurrency, atOnceForTenant, atOnceForUser = Number.POSITIVE_INFINITY } = limits;
      const options = { localConcurrency, localGroupConcurrency: atOnceForTenant };
      const places = new UserPlaces(database.dataSource, atOnceForUser, () => blobs.storeId());
      const work = async ([stored]: StoredJob<StoredRequest>[]): Promise<void> => {
        if (!stored) return;
        await places.within(stored, () => this.attempt(stored, run, asks)).finally(() => this.wake(kind));
      };
      await this.boss.work<StoredRequest>(kind, { ...options, pollingIntervalSeconds: POLL_SECONDS }, work);
      this.begunKinds.push(kind);
    }
  }

  /** Takes no more jobs, and gives those that run a moment; the others are done again by whoever comes next. */
  async stop(): Promise<void> {
    if (!this.isStarted) return;
    // Asked to wait itself, the library looks but twice a second whether its workers have ended.
    const workers = Promise.all(this.begunKinds.map((kind) => this.boss.offWork(kind)));
    await unlessAborted(workers, AbortSignal.timeout(STOP_MS)).catch(() => undefined);
    await this.boss.stop({ graceful: false, close: false });
    // Nobody died of them.
    await this.leases.releaseAll().catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'the leases of jobs run out by themselves');
    });
  }

  /**
   * Puts a job in the queue.
   * @param tx the job is there when it is committed, and not before
   * @returns its id
   */
  async enqueue(
    { kind, payload, owner, about, blobKey, delaySeconds: startAfter = 0, priority = 0, ...request }: JobRequest,
    tx?: EntityManager,
  ): Promise<string> {
    const id = newId('job');
    const { tenantId = owner?.tenantId } = request;
    const group = tenantId !== undefined && { group: { id: tenantId } };
    const db = tx && { db: jobTransaction(tx) };
    const store = blobKey === undefined ? undefined : await this.parts.blobs.storeOf(blobKey, tx);
    const stored: StoredRequest = { payload, owner, about, blobKey, store };
    await this.boss.send(kind, stored, { id: toUuid(id), startAfter, priority, ...group, ...db });
    // In a transaction it may be too early; then the next poll finds the job.
    setImmediate(() => this.wake(kind));
    return id;
  }

  /** Calls a listener with what a job reports, from any process; the returned function ends that. */
  watch(id: string, listener: (progress: JsonObject) => void): () => void {
    return this.parts.topics.subscribe(topicOf(id), (progress) => listener(progress as JsonObject));
  }

  /** Tries a job again that has failed or was cancelled, when the transaction is committed. @returns false where it is none */
  async retry(tx: EntityManager, kind: string, id: string): Promise<boolean> {
    const changed = isAffected(await this.boss.retry(kind, toUuid(id), { db: jobTransaction(tx) }));
    if (changed) await this.recovery.forgive(tx, kind, id);
    // It may be too early; then the next poll finds the job.
    setImmediate(() => this.wake(kind));
    return changed;
  }

  /** Deletes a job that is not running. @returns false where there is none */
  async delete(tx: EntityManager, kind: string, id: string): Promise<boolean> {
    return isAffected(await this.boss.deleteJob(kind, toUuid(id), { db: jobTransaction(tx) }));
  }

  /** How the queue does. */
  check(): CheckState {
    if (!this.isStarted || this.db.isAway) return 'down';
    return this.unserved.hasAny ? 'degraded' : 'ok';
  }

  private async attempt(stored: StoredJob<StoredRequest>, handler: JobHandler, asks: JobAsks) {
    const { id: jobId, name: kind, retryCount } = stored;
    const { owner, about } = stored.data;
    const log = this.parts.log.child({ job: fromUuid('job', jobId), kind });
    // An attempt that was given up may still go on here.
    if (this.running.has(jobId)) throw new Error('This process still does this job.');
    await this.recovery.requireHarmless({ jobId, kind, retryCount });
    this.running.add(jobId);
    try {
      if (!(await this.leases.take({ jobId, kind, retryCount }))) throw new Error('Another process does this job.');
      if (about !== undefined && !(await asks.isKnown(about))) return;
      if (owner && !(await asks.permits(owner))) {
        await this.boss.cancel(kind, stored);
        log.info('a job was cancelled: its user may not sign in any more');
        return;
      }
      await handler(this.jobOf(stored));
    } catch (error) {
      if (error instanceof FileElsewhere) {
        return await putBack(this.parts.database.dataSource, stored, PUT_BACK_SECONDS, { ...error.file });
      }
      if (retryCount < RETRIES) log.warn({ err: error }, 'a job failed, and is tried again');
      else log.error({ err: error }, 'a job failed for good; a sysadmin can try it again');
      // It is stored: whatever else the error knows may be somebody's data.
      throw new Error(toReason(error));
    } finally {
      this.running.delete(jobId);
      await this.leases.release(jobId);
    }
  }

  private jobOf({ id: jobId, retryCount, signal, data }: StoredJob<StoredRequest>): Job {
    const id = fromUuid('job', jobId);
    const { blobs, database, topics } = this.parts;
    return {
      id,
      payload: data.payload,
      owner: data.owner,
      attempt: retryCount + 1,
      signal,
      requireFile: (blobKey) => requireFile(blobs, blobKey),
      report: (progress) => topics.publish(topicOf(id), progress),
      transaction: (work) =>
        database.dataSource.transaction(async (tx) => {
          await this.leases.require(tx, jobId);
          return work(tx);
        }),
    };
  }

  /** Jobs of dead processes are tried again, as if they had failed. */
  private async recover(): Promise<void> {
    // After an outage the others have not yet told that they are alive.
    if (this.parts.lease.isPastGracePeriod) await this.recovery.recover();
  }

  private async wakeDue(): Promise<void> {
    const store = await this.parts.blobs.storeId();
    for (const kind of await dueKinds(this.db, this.begunKinds, store)) this.wake(kind);
  }

  private wake(kind: string): void {
    // What `work` answers names the first of its workers alone.
    for (const { id, name } of this.boss.getWipData()) if (name === kind) this.boss.notifyWorker(id);
  }
}

/** Its types do not tell what the library answers to a command. */
function isAffected(response: object): boolean {
  return (response as { affected: number }).affected > 0;
}

function topicOf(id: string): string {
  return `job:${id}`;
}

/** What a sysadmin is told of a failure. */
function toReason(error: unknown): string {
  if (error instanceof PlatformError) return error.message;
  const name = error instanceof Error ? error.name : 'not an error';
  return [name, systemCode(error)].filter(Boolean).join(' ');
}
