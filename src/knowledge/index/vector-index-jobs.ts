import type { DataSource } from 'typeorm';
import type { Database } from '../../platform/database/database.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';
import { vectorTableOf } from './vector-tables.js';

/** The kind of jobs that make indexes of vectors. */
export const VECTOR_INDEX_JOB = 'knowledge.vector_index';

/** With fewer passages comparing all of them is as fast. */
const LEAST_CHUNKS = 20_000;
/** More than an HNSW index of pgvector takes. */
const MOST_DIMENSIONS = 2_000;
const LARGE = `
  SELECT i.id, b.tenant_id AS "tenantId" FROM knowledge_indexes i JOIN knowledge_bases b ON b.id = i.base_id
  WHERE i.base_id = $1 AND i.state = 'active' AND NOT i.is_approximate AND i.dimensions <= ${MOST_DIMENSIONS}
    AND (SELECT sum(chunk_count) FROM knowledge_files f WHERE f.base_id = i.base_id AND f.deleted_at IS NULL) > $2`;
/** One whose making was broken off is there, and not valid. */
const VALID = 'SELECT FROM pg_index x WHERE x.indexrelid = to_regclass($1) AND x.indisvalid';

interface VectorIndexParts {
  readonly database: Pick<Database, 'dataSource' | 'maintain'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  /** Whether there are vectors, and indexes of them that search on until they have found enough. */
  readonly isSupported: boolean;
  /** Passages of a base; default: 20,000. */
  readonly leastChunks?: number;
}

/**
 * Makes an HNSW index for the vectors of a large base, while it is searched and written. Each base has one of its own, so
 * that a query looks at no vector of another.
 */
export class VectorIndexJobs {
  constructor(private readonly parts: VectorIndexParts) {}

  readonly handler: JobHandler = async ({ payload, transaction }) => {
    const { indexId } = payload as { indexId: string };
    const { database } = this.parts;
    const index = await database.dataSource.manager.findOneBy(KnowledgeIndex, { id: indexId, state: 'active' });
    if (!index || index.dimensions === null || index.isApproximate) return;
    await database.maintain((connection) => make(connection, indexId));
    await transaction((tx) => tx.update(KnowledgeIndex, { id: indexId }, { isApproximate: true }));
  };

  /** Puts the index of a base into the queue, where it is large enough for one and has none. */
  async enqueueIfLarge(baseId: string): Promise<void> {
    const { database, jobs, isSupported, leastChunks = LEAST_CHUNKS } = this.parts;
    if (!isSupported) return;
    const rows = await database.dataSource.query<{ id: string; tenantId: string }[]>(LARGE, [baseId, leastChunks]);
    for (const { id: indexId, tenantId } of rows) {
      await jobs.enqueue({ kind: VECTOR_INDEX_JOB, payload: { indexId }, tenantId });
    }
  }
}

async function make(connection: DataSource, indexId: string): Promise<void> {
  const table = vectorTableOf(indexId);
  const name = `${table}_hnsw`;
  if ((await connection.query<object[]>(VALID, [name])).length > 0) return;
  await connection.query(`DROP INDEX IF EXISTS ${name}`);
  await connection.query(`CREATE INDEX CONCURRENTLY ${name} ON ${table} USING hnsw (embedding vector_cosine_ops)`);
  // What was written just now is not counted yet: for a few vectors the planner would sort them.
  await connection.query('ANALYZE ' + table);
}
