// The name of a table can be no parameter.
// oxlint-disable-next-line no-restricted-imports
import sql, { join, raw } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DataSource, EntityManager } from 'typeorm';
import { isLockNotAvailable, isUndefinedTable } from '../../platform/database/postgres-errors.js';
import { isId } from '../../platform/ids.js';
import { toVectorBytes } from './vector-bytes.js';

const PREFIX = 'knowledge_vectors_';
const IS_THERE = 'SELECT to_regclass($1) IS NOT NULL AS "isThere"';
const UNUSED = `
  SELECT substr(c.relname::text, ${PREFIX.length + 1}) AS id FROM pg_class c
  WHERE c.relkind = 'r' AND c.relname ~ '^${PREFIX}kix_[0-9a-z]{26}$'
    AND c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT EXISTS (
      SELECT FROM knowledge_indexes i WHERE i.id = substr(c.relname::text, ${PREFIX.length + 1}) AND i.state <> 'retired')`;

/** A passage and its vector. */
export interface StoredVector {
  readonly chunkId: string;
  readonly fileId: string;
  readonly vector: readonly number[];
}

/**
 * The table of the vectors of one knowledge index (docs/decisions/0021-vector-tables.md). It is there from the moment on at
 * which the index has `dimensions`, until the index is retired.
 * @throws Error where the id is none: it becomes a part of statements
 */
export function vectorTableOf(indexId: string): string {
  if (!isId('kix', indexId)) throw new Error('Not an index id.');
  return PREFIX + indexId;
}

/** The same, as a part of a statement. */
export function vectorsOf(indexId: string): Sql {
  return raw(vectorTableOf(indexId));
}

/** Whether the database has a table of this name. */
export async function hasTable(manager: EntityManager, table: string): Promise<boolean> {
  const [row] = await manager.query<{ isThere: boolean }[]>(IS_THERE, [table]);
  return row?.isThere === true;
}

/** Makes the table of an index whose row is locked. Nothing refers to other tables, since that would lock them. */
export async function createVectorTable(tx: EntityManager, indexId: string, dimensions: number): Promise<void> {
  const table = vectorTableOf(indexId);
  await tx.query(`
    CREATE TABLE ${table} (
      chunk_id text NOT NULL,
      file_id text NOT NULL,
      embedding vector(${Number(dimensions)}) NOT NULL,
      CONSTRAINT ${table}_pkey PRIMARY KEY (chunk_id)
    )`);
  await tx.query(`CREATE INDEX ${table}_file_id ON ${table} (file_id)`);
}

/** Writes vectors into the table of an index. */
export async function writeVectors(
  tx: EntityManager,
  indexId: string,
  vectors: readonly StoredVector[],
): Promise<void> {
  const rows = vectors.map(
    ({ chunkId, fileId, vector }) => sql`(${chunkId}, ${fileId}, ${toVectorBytes(vector)}::vector)`,
  );
  const { text, values } = sql` (chunk_id, file_id, embedding) VALUES ${join(rows)}`;
  await tx.query(`INSERT INTO ${vectorTableOf(indexId)}${text}`, values);
}

/** Deletes the vectors of passages of an index. An index without vectors has no table; a retired one loses it at any time. */
export async function deleteVectors(tx: EntityManager, indexId: string, chunkIds: readonly string[]): Promise<void> {
  const table = vectorTableOf(indexId);
  if (!(await hasTable(tx, table))) return;
  try {
    // In a savepoint: a statement that fails ends its transaction.
    await tx.transaction((inner) => inner.query(`DELETE FROM ${table} WHERE chunk_id = ANY($1)`, [chunkIds]));
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
  }
}

/**
 * Drops the tables of indexes that are retired or deleted. One that is in use at the moment, as by an index that is being
 * built, is left to the next time: whoever waits for the lock of a table has everybody after it wait, too.
 */
export async function dropUnusedVectorTables(dataSource: DataSource): Promise<void> {
  const tables = await dataSource.query<{ id: string }[]>(UNUSED);
  for (const { id } of tables) {
    const name = vectorTableOf(id);
    try {
      await dataSource.transaction(async (tx) => {
        await tx.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE NOWAIT`);
        await tx.query(`DROP TABLE ${name}`);
      });
    } catch (error) {
      if (!isLockNotAvailable(error) && !isUndefinedTable(error)) throw error;
    }
  }
}
