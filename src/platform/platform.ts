import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AuditRecord } from './audit/audit-record.entity.js';
import { AuditRecorder } from './audit/audit-recorder.js';
import { AuditRefusal } from './audit/audit-refusal.entity.js';
import { Blob, BlobRoot, BlobSweep, StorageUsage } from './blobs/blob.entity.js';
import { BlobLinks } from './blobs/blob-links.js';
import { Blobs } from './blobs/blobs.js';
import { AudioProcessor } from './audio/audio-processor.js';
import { audioConfig } from './audio/config.js';
import type { AudioConfig } from './audio/config.js';
import { blobsConfig } from './blobs/config.js';
import type { BlobsConfig } from './blobs/config.js';
import type { PeriodicTask } from './async/periodic.js';
import { clusterConfig } from './cluster/config.js';
import type { ClusterConfig } from './cluster/config.js';
import { Process } from './cluster/process.entity.js';
import { ProcessLease } from './cluster/process-lease.js';
import type { SharedCounting } from './cluster/rate-counter.js';
import { RedisTopics } from './cluster/redis-topics.js';
import { MemorySealedStore, RedisSealedStore } from './cluster/sealed-store.js';
import type { SealedStore } from './cluster/sealed-store.js';
import { MemoryTopics } from './cluster/topics.js';
import type { Topics } from './cluster/topics.js';
import { openSecretBox, sealedStoredKeys } from './crypto/open-secret-box.js';
import { resealAtStart } from './crypto/reseal-at-start.js';
import type { SecretBox } from './crypto/secret-box.js';
import { StoredKey } from './crypto/stored-key.entity.js';
import { databaseConfig } from './database/config.js';
import type { DatabaseConfig } from './database/config.js';
import type { DatabaseSchema } from './database/data-source.js';
import { connectionGauges } from './database/connection-gauge.js';
import { openDatabase } from './database/database.js';
import type { StartEmbeddedServer } from './database/embedded-database.js';
import { extractionConfig } from './extraction/config.js';
import type { ExtractionConfig } from './extraction/config.js';
import { Extractor } from './extraction/extractor.js';
import { deleteJobsOfUser } from './jobs/job-erasure.js';
import { JobLease } from './jobs/job-lease.entity.js';
import { JobQueue } from './jobs/job-queue.js';
import { JobRecords } from './jobs/job-records.js';
import type { Job, JobHandler } from './jobs/job.types.js';
import { mailConfig } from './mail/config.js';
import type { MailConfig } from './mail/config.js';
import { MAIL_JOB, Mailer, sealedMails } from './mail/mailer.js';
import type { Database } from './database/database.js';
import { Platform1795298570319 } from './migrations/1795298570319-platform.js';
import { Jobs1795315111125 } from './migrations/1795315111125-jobs.js';
import { StoredKeys1795324698678 } from './migrations/1795324698678-stored-keys.js';
import { AuditRecords1795336340495 } from './migrations/1795336340495-audit-records.js';
import { RefusalMacs1795360000000 } from './migrations/1795360000000-refusal-macs.js';
import { Blobs1795388036932 } from './migrations/1795388036932-blobs.js';
import { netConfig } from './net/config.js';
import type { NetConfig } from './net/config.js';
import type { Redis } from './redis/redis.js';
import { diskConfig } from './scratch/config.js';
import type { DiskConfig } from './scratch/config.js';
import { DiskSpace } from './scratch/disk-space.js';
import { Scratch } from './scratch/scratch.js';
import { telemetryConfig } from './telemetry/config.js';
import type { TelemetryConfig } from './telemetry/config.js';
import type { HealthCheck } from './telemetry/health.js';
import type { Gauge } from './telemetry/metrics.js';
import { startObservability } from './telemetry/observability.js';
import type { Observability } from './telemetry/observability.js';

/** The variables and tables of the platform itself. */
export const platform = {
  configs: [
    databaseConfig,
    blobsConfig,
    diskConfig,
    clusterConfig,
    netConfig,
    mailConfig,
    extractionConfig,
    audioConfig,
    telemetryConfig,
  ],
  entities: [AuditRecord, AuditRefusal, Blob, BlobRoot, BlobSweep, Process, JobLease, StorageUsage, StoredKey],
  migrations: [
    Platform1795298570319,
    Jobs1795315111125,
    StoredKeys1795324698678,
    AuditRecords1795336340495,
    RefusalMacs1795360000000,
    Blobs1795388036932,
  ],
  sealed: [sealedStoredKeys, sealedMails],
} as const;

type Erasure = Pick<Job, 'signal' | 'transaction'>;

/** The settings of the platform. */
export type PlatformConfig = DatabaseConfig &
  BlobsConfig &
  DiskConfig &
  ClusterConfig &
  NetConfig &
  MailConfig &
  ExtractionConfig &
  AudioConfig &
  TelemetryConfig;

/** What every domain stands on. */
export interface Platform extends Observability {
  /** Of the server, as in `package.json`. */
  readonly version: string;
  readonly log: Logger;
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** Undefined: this process shares nothing but the database. */
  readonly redis?: Redis;
  /** That this process is alive, and whatever it has open its own. */
  readonly lease: ProcessLease;
  /** What all processes count together. */
  readonly sharing: SharedCounting;
  readonly topics: Topics;
  /** What happens is written down here, for the audit log. */
  readonly audit: AuditRecorder;
  /** What is done later. */
  readonly jobs: JobQueue;
  readonly jobRecords: JobRecords;
  readonly mailer: Mailer;
  /** Where the bytes of files lie. */
  readonly blobs: Blobs;
  /** The addresses at which files are fetched. */
  readonly blobLinks: BlobLinks;
  /** Turns files into text, in processes of their own. */
  readonly extractor: Extractor;
  /** Decodes audio and finds speech in it, in processes of their own; writes it in other formats. */
  readonly audio: AudioProcessor;
  /** Files that are needed while something is worked on. */
  readonly scratch: Scratch;
  /** Where answers and contexts are kept for a while, within RESPONSE_CONTEXT_BYTES. */
  readonly store: SealedStore;
  /** Another such store: in Redis, or of so many bytes in the memory of this process. */
  openStore(bytes: number): SealedStore;
}

/**
 * Opens what the configuration names, and brings the database up to date.
 * @param parts what is opened is closed with them, after whatever is added later
 * @throws OperationalError, as `openDatabase` does
 */
export async function openPlatform(
  config: PlatformConfig & { readonly nodeEnv: string; readonly publicUrl?: string | undefined },
  log: Logger,
  schema: DatabaseSchema,
  parts: AsyncDisposableStack,
  startEmbedded?: StartEmbeddedServer,
): Promise<Platform> {
  const observability = await startObservability(config);
  parts.defer(() => observability.tracing?.close());
  const database = await openDatabase(config, schema, log, startEmbedded);
  parts.defer(() => database.close());
  const columns = schema.sealed ?? [];
  const secretBox = await openSecretBox(config, database.dataSource, columns);
  const audit = new AuditRecorder(database.dataSource, secretBox);
  if (database.embedded && config.secretKeyPrevious) {
    await resealAtStart({ dataSource: database.dataSource, secretBox, columns }, audit, log);
  }
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, log);
  parts.defer(() => redis?.close());
  const lease = new ProcessLease(database, log, redis);
  parts.defer(() => lease.close());
  await lease.start();
  const disk = new DiskSpace(config.diskReserveBytes, log);
  const blobs = await Blobs.open({ config, database, lease, disk, log });
  parts.defer(() => blobs.close());
  const openStore = (bytes: number) => (redis ? new RedisSealedStore(redis) : new MemorySealedStore(bytes));
  const topics = redis ? new RedisTopics(redis) : new MemoryTopics();
  const jobs = new JobQueue({ database, lease, topics, blobs, log });
  const mailer = new Mailer({
    jobs,
    secretBox,
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    folder: config.nodeEnv === 'production' ? undefined : join(config.dataDir, 'mail'),
    log,
  });
  return {
    ...observability,
    ...(await openFileReaders(config, { lease, disk, log }, parts)),
    version: (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version,
    log,
    database,
    secretBox,
    redis,
    lease,
    sharing: { redis, processes: () => lease.alive },
    topics,
    audit,
    jobs,
    jobRecords: new JobRecords(database.dataSource, () => jobs.kinds),
    mailer,
    blobs,
    blobLinks: new BlobLinks(secretBox, config.publicUrl),
    store: openStore(config.responseContextBytes),
    openStore,
  };
}

/** Loaded where it is used alone: its client has as many modules as a third of the server. */
async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis: RedisConnection } = await import('./redis/redis.js');
  return new RedisConnection(url, log);
}

/** What works on files in processes of their own. */
async function openFileReaders(
  config: PlatformConfig,
  { lease, disk, log }: { readonly lease: ProcessLease; readonly disk: DiskSpace; readonly log: Logger },
  parts: AsyncDisposableStack,
): Promise<Pick<Platform, 'extractor' | 'audio' | 'scratch'>> {
  const extractor = await Extractor.open(config, log);
  parts.defer(() => extractor.close());
  const scratch = await Scratch.open({ config, lease, disk });
  parts.defer(() => scratch.close());
  const audio = await AudioProcessor.open({ config, scratch, log });
  parts.defer(() => audio.close());
  return { extractor, audio, scratch };
}

/** What the platform gives to those who serve all parts alike. */
export function platformContributions(parts: Platform): {
  readonly gauges: readonly Gauge[];
  readonly health: Readonly<Record<string, HealthCheck>>;
  readonly tasks: readonly PeriodicTask[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  eraseUser(user: { readonly id: string }, job: Erasure): Promise<void>;
  eraseTenant(tenant: { readonly id: string }, job: Erasure): Promise<void>;
} {
  const { blobs, database, redis, lease, jobs, mailer, extractor, audio, scratch } = parts;
  return {
    gauges: [
      ...connectionGauges(database),
      ...jobs.gauges,
      ...blobs.gauges,
      ...extractor.gauges,
      ...audio.gauges,
      scratch.gauge,
    ],
    health: {
      database: (signal) => database.ping(signal).then(() => 'ok'),
      // Without it several processes share nothing but the database.
      cache: () => (redis ? redis.state : lease.alive > 1 ? 'degraded' : 'ok'),
      jobs: () => jobs.check(),
      blobs: (signal) => blobs.check(signal),
      ocr: extractor.check,
      ffmpeg: audio.check,
    },
    tasks: [...blobs.tasks, scratch.task],
    jobHandlers: { [MAIL_JOB]: mailer.deliver },
    async eraseUser(user, job) {
      await job.transaction((tx) => deleteJobsOfUser(tx, user.id));
      await blobs.eraseUser(user, job);
    },
    eraseTenant: blobs.eraseTenant,
  };
}

const PACKAGE = new URL('../../package.json', import.meta.url);
