import type { Logger } from 'pino';
import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Forbidden } from '../../errors.js';
import { LAST_ATTEMPT, waitSeconds } from '../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, JobOwner, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { newId } from '../../platform/ids.js';
import { KnowledgeBase } from '../bases/knowledge-base.entity.js';
import type { KnowledgeErasure } from '../erasure/knowledge-erasure.js';
import type { Chunk } from '../ingest/chunk.types.js';
import type { Embedder } from '../ingest/embedder.js';
import { toFileFailure } from '../../platform/extraction/file-failure.js';
import type { FileFailure } from '../../platform/extraction/file-failure.js';
import { TargetGone } from './chunk-writer.js';
import type { ChunkWriter } from './chunk-writer.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';

/** The kind of jobs that make the vectors of a base anew. */
export const REINDEX_JOB = 'knowledge.reindex';

const LIMITS = { atOnce: 2, atOnceForTenant: 1 };
const PASSAGES_AT_ONCE = 64;
const UNEXPLAINED: FileFailure = { message: 'The server failed at this, and tries it again.', isTransient: true };
const NOT_PERMITTED = 'The owner of this knowledge base may not use the platform any more.';

/** The next file that is searched, and is not in the new index. */
const NEXT_FILE = `
  SELECT f.id, f.language FROM knowledge_files f
  WHERE f.base_id = $1 AND f.deleted_at IS NULL AND f.status = 'ready'
    AND NOT EXISTS (SELECT FROM knowledge_reindexed_files r WHERE r.index_id = $2 AND r.file_id = f.id)
  ORDER BY f.id LIMIT 1`;
/** The passages of a file that follow those that the new index has of it. */
const NEXT_PASSAGES = `
  SELECT c.position, c.page, c.start_at AS start, c.end_at AS "end", c.headings, c.text, c.hash
  FROM knowledge_chunks c JOIN knowledge_indexes i ON i.id = c.index_id AND i.base_id = $1 AND i.state = 'active'
  WHERE c.file_id = $2 AND c.position > coalesce(
    (SELECT max(position) FROM knowledge_chunks WHERE file_id = $2 AND index_id = $3), -1)
  ORDER BY c.position LIMIT ${PASSAGES_AT_ONCE}`;
const PROGRESS = `
  UPDATE knowledge_bases SET reindex_error = NULL, reindex_progress = 0.99 * (
    SELECT count(r.file_id)::real / greatest(count(*), 1) FROM knowledge_files f
    LEFT JOIN knowledge_reindexed_files r ON r.index_id = $2 AND r.file_id = f.id
    WHERE f.base_id = $1 AND f.deleted_at IS NULL AND f.status = 'ready')
  WHERE id = $1`;
const LACKING = `
  SELECT b.id FROM knowledge_bases b JOIN knowledge_indexes i ON i.base_id = b.id AND i.state = 'active' AND i.lacks_vectors
  WHERE b.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM knowledge_indexes n WHERE n.base_id = b.id AND n.state = 'building') ORDER BY b.id`;
const LOCK_INDEXES = `
  SELECT id, state FROM knowledge_indexes WHERE base_id = $1 AND state <> 'retired' ORDER BY id FOR UPDATE`;

interface ReindexJobsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly embedder: Embedder;
  readonly writer: ChunkWriter;
  readonly erasure: Pick<KnowledgeErasure, 'enqueue'>;
  /** Whether the database has vectors. */
  readonly hasVectors: boolean;
  readonly log: Pick<Logger, 'info'>;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
}

interface ReindexPayload {
  readonly indexId: string;
  /** How often what it needs was missing. */
  readonly waits: number;
}

/** A passage with its place among those of its file. */
type PlacedChunk = Chunk & { readonly position: number };

/**
 * Makes the vectors of a base by another model, in an index of their own, which takes the place of the one before at once
 * when it has all files: a query sees the whole of the one or of the other.
 */
export class ReindexJobs {
  constructor(private readonly parts: ReindexJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  /**
   * Begins an index by a model for a base that is locked, unless the base is searched by that model already, with vectors of
   * all passages. One by another model that was begun before is given up.
   */
  async begin(tx: EntityManager, { id: baseId, tenantId }: KnowledgeBase, model: string): Promise<void> {
    const indexes = await tx.findBy(KnowledgeIndex, { baseId });
    const building = indexes.find(({ state }) => state === 'building');
    if (building?.model === model) return;
    if (building) await this.retire(tx, building.id, tenantId);
    const active = indexes.find(({ state }) => state === 'active');
    const isSearched = active?.model === model && !(this.parts.hasVectors && active.lacksVectors);
    const reindexProgress = isSearched ? null : 0;
    await tx.update(KnowledgeBase, { id: baseId }, { reindexProgress, reindexError: null });
    if (isSearched) return;
    const id = newId('kix');
    await tx.insert(KnowledgeIndex, {
      id,
      baseId,
      model,
      dimensions: null,
      isApproximate: false,
      lacksVectors: false,
      state: 'building',
      createdAt: new Date(),
    });
    await this.send({ indexId: id, waits: 0 }, { tenantId }, tx);
  }

  /** Has the vectors made of passages that were written while the database had no pgvector. */
  async beginLacking(): Promise<void> {
    const { dataSource, hasVectors, log } = this.parts;
    if (!hasVectors) return;
    for (const { id } of await dataSource.query<{ id: string }[]>(LACKING)) {
      await dataSource.transaction(async (tx) => {
        const where = { id, deletedTime: IsNull() };
        const base = await tx.findOne(KnowledgeBase, { where, lock: { mode: 'pessimistic_write' } });
        if (base) await this.begin(tx, base, base.embeddingModel);
      });
      log.info({ knowledge_base: id }, 'creating the missing vectors of a knowledge base');
    }
  }

  private async retire(tx: EntityManager, id: string, tenantId: string): Promise<void> {
    await tx.update(KnowledgeIndex, { id }, { state: 'retired' });
    await this.parts.erasure.enqueue(tx, { indexId: id }, tenantId);
  }

  private async run(job: Job): Promise<void> {
    const payload = job.payload as unknown as ReindexPayload;
    const { manager } = this.parts.dataSource;
    const index = await manager.findOneBy(KnowledgeIndex, { id: payload.indexId, state: 'building' });
    const base = index && (await manager.findOneBy(KnowledgeBase, { id: index.baseId, deletedTime: IsNull() }));
    if (!base) return;
    try {
      await this.build(base, index, job);
    } catch (error) {
      if (error instanceof TargetGone) {
        // A file was deleted; or this index is not wanted any more, which the next job sees.
        await job.transaction((tx) => this.send(payload, { tenantId: base.tenantId }, tx));
        return;
      }
      job.signal.throwIfAborted();
      const failure = toFileFailure(error) ?? (job.attempt < LAST_ATTEMPT ? undefined : UNEXPLAINED);
      if (!failure) throw error;
      // Whatever is wrong with the model may be mended: the base is searched as it was until then.
      const delaySeconds = waitSeconds(payload.waits);
      await job.transaction(async (tx) => {
        await tx.update(KnowledgeBase, { id: base.id }, { reindexError: failure.message });
        await this.send({ ...payload, waits: payload.waits + 1 }, { tenantId: base.tenantId, delaySeconds }, tx);
      });
    }
  }

  private async build(base: KnowledgeBase, index: KnowledgeIndex, job: Job): Promise<void> {
    const { dataSource, permits } = this.parts;
    if (!(await permits({ tenantId: base.tenantId, userId: base.ownerId }))) throw new Forbidden(NOT_PERMITTED);
    for (;;) {
      job.signal.throwIfAborted();
      const [file] = await dataSource.query<{ id: string; language: string | null }[]>(NEXT_FILE, [base.id, index.id]);
      if (file) await this.copy(file, { base, index, job });
      else if (await job.transaction((tx) => this.replace(tx, base, index))) break;
    }
  }

  /** Writes the passages of a file into the new index, those that are not there yet. */
  private async copy(
    { id: fileId, language }: { readonly id: string; readonly language: string | null },
    { base, index, job }: { readonly base: KnowledgeBase; readonly index: KnowledgeIndex; readonly job: Job },
  ): Promise<void> {
    const target = { indexId: index.id, fileId, language };
    const owner = { tenantId: base.tenantId, userId: base.ownerId, tokenId: job.id };
    for (;;) {
      const values = [base.id, fileId, index.id];
      const chunks = await this.parts.dataSource.query<PlacedChunk[]>(NEXT_PASSAGES, values);
      if (chunks.length === 0) break;
      const vectors = await this.parts.embedder.embed(chunks, { index, owner, signal: job.signal });
      const embedded = chunks.map((chunk, at) => ({ ...chunk, vector: vectors?.[at] }));
      await this.parts.writer.write(job.transaction, target, embedded);
    }
    await this.parts.writer.finish(job.transaction);
    await job.transaction(async (tx) => {
      const sql =
        'INSERT INTO knowledge_reindexed_files (index_id, file_id) SELECT $1, id FROM knowledge_files WHERE id = $2';
      await tx.query(sql, [index.id, fileId]);
      await tx.query(PROGRESS, [base.id, index.id]);
    });
  }

  /**
   * Puts the new index in the place of the one that is searched.
   * @returns whether it is done; a file may have become searched in the meantime
   */
  private async replace(
    tx: EntityManager,
    { id: baseId, tenantId }: KnowledgeBase,
    { id }: KnowledgeIndex,
  ): Promise<boolean> {
    // The base is locked first, as by whoever changes it; whoever finishes a file holds its index.
    await tx.findOne(KnowledgeBase, { where: { id: baseId }, lock: { mode: 'pessimistic_write' } });
    const indexes = await tx.query<{ id: string; state: string }[]>(LOCK_INDEXES, [baseId]);
    if (!indexes.some((index) => index.id === id)) throw new TargetGone();
    const [file] = await tx.query<object[]>(NEXT_FILE, [baseId, id]);
    if (file) return false;
    const active = indexes.find(({ state }) => state === 'active');
    if (active) await this.retire(tx, active.id, tenantId);
    await tx.update(KnowledgeIndex, { id }, { state: 'active' });
    await tx.query('DELETE FROM knowledge_reindexed_files WHERE index_id = $1', [id]);
    await tx.update(KnowledgeBase, { id: baseId }, { reindexProgress: null, reindexError: null });
    return true;
  }

  private async send(
    payload: ReindexPayload,
    options: { readonly tenantId: string; readonly delaySeconds?: number },
    tx: EntityManager,
  ): Promise<void> {
    await this.parts.jobs.enqueue({ kind: REINDEX_JOB, payload: { ...payload }, ...options }, tx);
  }
}
