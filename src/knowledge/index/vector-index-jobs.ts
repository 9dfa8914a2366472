import type { DataSource } from 'typeorm';
import type { Database } from '../../platform/database/database.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { isId } from '../../platform/ids.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';

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
    await database.maintain((connection) => make(connection, indexId, index.dimensions as number));
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

/** Drops what `VectorIndexJobs` has made for an index that is searched no more; nobody waits for that. */
export async function dropVectorIndex(dataSource: Pick<DataSource, 'query'>, indexId: string): Promise<void> {
  await dataSource.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(indexId)}`);
}

async function make(connection: DataSource, indexId: string, dimensions: number): Promise<void> {
  const name = nameOf(indexId);
  if ((await connection.query<object[]>(VALID, [name])).length > 0) return;
  await connection.query(`DROP INDEX IF EXISTS ${name}`);
  await connection.query(
    `CREATE INDEX CONCURRENTLY ${name} ON knowledge_vectors
     USING hnsw ((embedding::vector(${dimensions})) vector_cosine_ops) WHERE index_id = '${indexId}'`,
  );
  // What was written just now is not counted yet: for a few vectors the planner would sort them.
  await connection.query('ANALYZE knowledge_vectors');
}

function nameOf(indexId: string): string {
  if (!isId('kix', indexId)) throw new Error('This is no id of an index.');
  return `knowledge_vectors_${indexId}`;
}
