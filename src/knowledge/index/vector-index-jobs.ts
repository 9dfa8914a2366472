import type { DataSource } from 'typeorm';
import { tryLockInTransaction } from '../../platform/database/advisory-lock.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { hasUnfinishedJob } from '../../platform/jobs/unfinished-job.js';
import type { IndexBuilder, IndexDefinition } from './index-builder.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';
import { vectorTableOf } from './vector-tables.js';

/** The kind of jobs that make indexes of vectors. */
export const VECTOR_INDEX_JOB = 'knowledge.vector_index';

/** One is built at a time. */
const LIMITS = { atOnce: 1, atOnceForTenant: 1 };
/** When to look again whether another process has built its index. */
const BUSY_SECONDS = 10;
/** With fewer passages comparing all of them is fast enough, and misses none. */
export const LEAST_CHUNKS = 20_000;
/** More than an HNSW index of the type `vector` takes. */
const MOST_DIMENSIONS = 2_000;
const MISSING = `
  SELECT i.id FROM knowledge_indexes i
  JOIN (SELECT base_id, sum(chunk_count) AS chunks FROM knowledge_files WHERE deleted_at IS NULL GROUP BY base_id) f
    ON f.base_id = i.base_id
  WHERE i.state = 'active' AND NOT i.is_approximate AND i.dimensions <= ${MOST_DIMENSIONS} AND f.chunks > $1
    AND NOT ${hasUnfinishedJob(VECTOR_INDEX_JOB, 'indexId', 'i.id')}
  ORDER BY i.id`;

interface VectorIndexParts {
  readonly dataSource: DataSource;
  readonly builder: Pick<IndexBuilder, 'build'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  /** Whether there are vectors, and iterative scans of their indexes. */
  readonly isSupported: boolean;
  /** Passages of a base; default: 20,000. */
  readonly leastChunks?: number;
}

/** Makes an HNSW index for the vectors of a large base, while it is searched and written. */
export class VectorIndexJobs {
  constructor(private readonly parts: VectorIndexParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  /** Puts the indexes into the queue that large bases do not have yet, each once, whatever number of processes looks. */
  async enqueueMissing(): Promise<void> {
    const { dataSource, jobs, isSupported, leastChunks = LEAST_CHUNKS } = this.parts;
    if (!isSupported) return;
    await dataSource.transaction(async (tx) => {
      if (!(await tryLockInTransaction(tx, VECTOR_INDEX_JOB))) return;
      const rows = await tx.query<{ id: string }[]>(MISSING, [leastChunks]);
      for (const { id: indexId } of rows) await jobs.enqueue({ kind: VECTOR_INDEX_JOB, payload: { indexId } }, tx);
    });
  }

  private async run({ payload, signal, transaction }: Job): Promise<void> {
    const { indexId: id } = payload as { indexId: string };
    const { builder, dataSource, jobs } = this.parts;
    const index = await dataSource.manager.findOneBy(KnowledgeIndex, { id, state: 'active' });
    if (!index || index.isApproximate) return;
    const result = await builder.build(definitionOf(id), signal);
    await transaction(async (tx) => {
      if (result === 'built') await tx.update(KnowledgeIndex, { id, state: 'active' }, { isApproximate: true });
      if (result !== 'busy') return;
      await jobs.enqueue({ kind: VECTOR_INDEX_JOB, payload, delaySeconds: BUSY_SECONDS }, tx);
    });
  }
}

function definitionOf(indexId: string): IndexDefinition {
  const table = vectorTableOf(indexId);
  return { name: `${table}_hnsw`, table, columns: 'USING hnsw (embedding vector_cosine_ops)' };
}
