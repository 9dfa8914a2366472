import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { CheckState } from '../../platform/telemetry/health.js';

/** Two processes that make it at the same time would fail each other. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('knowledge_vectors'))";
const MAKE = [
  'CREATE EXTENSION IF NOT EXISTS vector',
  `CREATE TABLE IF NOT EXISTS knowledge_vectors (
    chunk_id text NOT NULL,
    index_id text NOT NULL,
    file_id text NOT NULL,
    embedding vector NOT NULL,
    CONSTRAINT knowledge_vectors_pkey PRIMARY KEY (chunk_id),
    CONSTRAINT knowledge_vectors_chunk_id_fkey FOREIGN KEY (chunk_id) REFERENCES knowledge_chunks (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX IF NOT EXISTS knowledge_vectors_index_id ON knowledge_vectors (index_id)',
];
const SEARCHES_ON = `
  SELECT string_to_array(regexp_replace(extversion, '[^0-9.].*', ''), '.')::integer[] >= ARRAY[0, 8] AS "searchesOn"
  FROM pg_extension WHERE extname = 'vector'`;
const IS_THERE = "SELECT to_regclass('knowledge_vectors') IS NOT NULL AS there";

/**
 * The table of vectors, which needs the extension pgvector: it is made at the start, since not every PostgreSQL has that.
 * Without it everything works by keywords.
 */
export class VectorTable {
  private constructor(
    readonly isThere: boolean,
    /** Whether indexes of vectors search on until they have found enough of what a query allows (pgvector 0.8). */
    readonly searchesOn: boolean,
  ) {}

  /** Makes the table where it can be made. */
  static async open(dataSource: DataSource, log: Logger): Promise<VectorTable> {
    try {
      await dataSource.transaction(async (tx) => {
        await tx.query(LOCK);
        for (const statement of MAKE) await tx.query(statement);
      });
    } catch (error) {
      const [row] = await dataSource.query<{ there: boolean }[]>(IS_THERE);
      if (!row?.there) {
        log.warn(
          { reason: (error as Error).message },
          'the database has no vectors: knowledge bases are searched by keywords alone until the extension vector (pgvector) is installed and the server is started again',
        );
        return new VectorTable(false, false);
      }
    }
    const [extension] = await dataSource.query<{ searchesOn: boolean }[]>(SEARCHES_ON);
    return new VectorTable(true, extension?.searchesOn === true);
  }

  /** `off` where there are no vectors. */
  check(): CheckState {
    return this.isThere ? 'ok' : 'off';
  }
}
