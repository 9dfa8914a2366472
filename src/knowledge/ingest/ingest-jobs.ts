import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Forbidden } from '../../errors.js';
import { LAST_ATTEMPT, waitSeconds } from '../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, JobOwner, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { hasUnfinishedJob } from '../../platform/jobs/unfinished-job.js';
import { noteUnserved } from '../../platform/jobs/unserved-jobs.js';
import { KnowledgeFile } from '../files/knowledge-file.entity.js';
import { lockTarget, TargetGone } from '../index/chunk-writer.js';
import { deleteSomeChunks } from '../index/deleted-chunks.js';
import { KnowledgeIndex } from '../index/knowledge-index.entity.js';
import type { FileIndexer, IndexedFile, IndexingProgress } from './file-indexer.js';
import { toFileFailure } from '../../platform/extraction/file-failure.js';
import type { FileFailure } from '../../platform/extraction/file-failure.js';

/** The kind of jobs that index files. */
export const INGEST_JOB = 'knowledge.ingest';

/** Each has a child process of its own. */
const LIMITS = { atOnce: 2, atOnceForTenant: 1 };
const WRITTEN = `
  SELECT coalesce(max(position) + 1, 0) AS count FROM knowledge_chunks WHERE file_id = $1 AND index_id = $2`;
const UNEXPLAINED: FileFailure = {
  message:
    'The server failed at this file. Please have it read once more, and tell your administrator if it fails again.',
  isTransient: false,
};
/** Jobs are given up where several processes have died of them, and administrators may delete them. */
const END_ABANDONED = `
  UPDATE knowledge_files SET status = 'failed', error = $1
  WHERE status IN ('queued', 'processing') AND deleted_at IS NULL
    AND NOT ${hasUnfinishedJob(INGEST_JOB, 'fileId', 'knowledge_files.id')}
  RETURNING id, base_id AS "baseId"`;
const WAITING = {
  table: 'knowledge_files',
  where: "status IN ('queued', 'processing') AND deleted_at IS NULL",
  kind: INGEST_JOB,
  member: 'fileId',
} as const;
const NOT_PERMITTED = 'Whoever sent this file may not use the platform any more.';

interface IngestJobsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly indexer: FileIndexer;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
  /** Tells whoever watches the files of a base. */
  readonly changed: (file: Pick<KnowledgeFile, 'baseId' | 'id'>) => void;
}

/** What of a file its job depends on. */
type QueuedFile = Pick<KnowledgeFile, 'blobKey' | 'id' | 'tenantId'>;

interface IngestPayload {
  readonly fileId: string;
  /** How often what it needs was missing. */
  readonly waits: number;
}

/** Indexes files, one job each. What is missing at the moment is waited for; what cannot be read is said on the file. */
export class IngestJobs {
  constructor(private readonly parts: IngestJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  /** Puts a file into the queue. */
  async enqueue(tx: EntityManager, file: QueuedFile): Promise<void> {
    await this.send({ fileId: file.id, waits: 0 }, file, 0, tx);
  }

  /** Says of files that nobody reads any more that they have failed, and of others that they wait for their server. */
  async endAbandoned(): Promise<void> {
    const [files] = await this.parts.dataSource.query<[Pick<KnowledgeFile, 'baseId' | 'id'>[], number]>(END_ABANDONED, [
      UNEXPLAINED.message,
    ]);
    const unserved = await noteUnserved<{ id: string; base_id: string }>(this.parts.dataSource, WAITING);
    const waiting = unserved.map(({ id, base_id: baseId }) => ({ id, baseId }));
    for (const file of [...files, ...waiting]) this.parts.changed(file);
  }

  private async run(job: Job): Promise<void> {
    const payload = job.payload as unknown as IngestPayload;
    const { manager } = this.parts.dataSource;
    const file = await manager.findOneBy(KnowledgeFile, { id: payload.fileId, deletedTime: IsNull() });
    if (!file || file.status === 'ready' || file.status === 'failed') return;
    const index = await manager.findOneBy(KnowledgeIndex, { baseId: file.baseId, state: 'active' });
    if (!index) return;
    await job.requireFile(file.blobKey);
    try {
      const indexed = await this.index(file, index, job);
      await job.transaction(async (tx) => {
        await lockTarget(tx, { fileId: file.id, indexId: index.id });
        await tx.update(KnowledgeFile, { id: file.id }, finishedBy(file, indexed));
      });
    } catch (error) {
      if (error instanceof TargetGone) {
        // It was deleted, which the next job sees; or its index was replaced, and it goes into the new one.
        await this.send(payload, file);
        return;
      }
      job.signal.throwIfAborted();
      const failure = toFileFailure(error) ?? (job.attempt < LAST_ATTEMPT ? undefined : UNEXPLAINED);
      if (!failure) throw error;
      await this.fail(file, index, failure, payload, job);
    } finally {
      this.parts.changed(file);
    }
  }

  private async index(file: KnowledgeFile, index: KnowledgeIndex, job: Job): Promise<IndexedFile> {
    const { dataSource, indexer, permits, changed } = this.parts;
    const owner = { tenantId: file.tenantId, userId: file.ownerId };
    if (!(await permits(owner))) throw new Forbidden(NOT_PERMITTED);
    await job.transaction((tx) => tx.update(KnowledgeFile, { id: file.id }, { status: 'processing', error: null }));
    changed(file);
    const [row] = await dataSource.query<{ count: number }[]>(WRITTEN, [file.id, index.id]);
    const onProgress = async ({ chunkCount, share }: IndexingProgress): Promise<void> => {
      // It is done when all of it is written.
      await job.transaction((tx) => tx.update(KnowledgeFile, { id: file.id }, { chunkCount, progress: 0.99 * share }));
      changed(file);
    };
    const written = row?.count ?? 0;
    return indexer.index({ file, index, owner: { ...owner, tokenId: job.id }, written, job, onProgress });
  }

  private async fail(
    file: KnowledgeFile,
    { id: indexId }: KnowledgeIndex,
    { message, isTransient }: FileFailure,
    { fileId, waits }: IngestPayload,
    job: Job,
  ): Promise<void> {
    const { id } = file;
    if (isTransient) {
      await job.transaction(async (tx) => {
        await tx.update(KnowledgeFile, { id }, { status: 'queued', error: message });
        await this.send({ fileId, waits: waits + 1 }, file, waitSeconds(waits), tx);
      });
      return;
    }
    // What could be read of it is not searched: it would seem to be all of it.
    while (await job.transaction((tx) => deleteSomeChunks(tx, 'fileInIndex', [id, indexId])));
    const failed = { status: 'failed', error: message, chunkCount: 0, progress: 0 } as const;
    await job.transaction((tx) => tx.update(KnowledgeFile, { id }, failed));
  }

  private async send(
    payload: IngestPayload,
    { tenantId, blobKey }: QueuedFile,
    delaySeconds = 0,
    tx?: EntityManager,
  ): Promise<void> {
    const job = { kind: INGEST_JOB, payload: { ...payload }, tenantId, blobKey, delaySeconds };
    await this.parts.jobs.enqueue(job, tx);
  }
}

function finishedBy(file: KnowledgeFile, { chunkCount, language, pagesFailed, warnings }: IndexedFile) {
  const status = 'ready' as const;
  const all = [...file.warnings, ...warnings];
  return { status, error: null, progress: 1, chunkCount, language, pagesFailed: [...pagesFailed], warnings: all };
}
