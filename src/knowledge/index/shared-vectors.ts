import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { isLockNotAvailable, isUndefinedTable } from '../../platform/database/postgres-errors.js';
import { createVectorTable, hasTable, vectorTableOf } from './vector-tables.js';

const SHARED = 'knowledge_vectors';
/** The length of their vectors says which of them have any. */
const INDEXES = `
  SELECT id FROM knowledge_indexes i
  WHERE state <> 'retired' AND EXISTS (SELECT FROM ${SHARED} v WHERE v.index_id = i.id) ORDER BY id`;
/** Whoever writes passages into it waits. */
const LOCK_INDEX = "SELECT dimensions FROM knowledge_indexes WHERE id = $1 AND state <> 'retired' FOR UPDATE";
/** A statement is short, whatever the size of the base. */
const ROWS_AT_ONCE = 2_000;
const TAKE = `
  DELETE FROM ${SHARED} WHERE chunk_id IN (SELECT chunk_id FROM ${SHARED} WHERE index_id = $1 LIMIT ${ROWS_AT_ONCE})
  RETURNING chunk_id, file_id, embedding`;
const DELETE_UNUSED = `
  DELETE FROM ${SHARED} WHERE chunk_id IN (
    SELECT chunk_id FROM ${SHARED} v WHERE NOT EXISTS (
      SELECT FROM knowledge_indexes i WHERE i.id = v.index_id AND i.state <> 'retired') LIMIT ${ROWS_AT_ONCE})
  RETURNING chunk_id`;
/** An index has a table as soon as it has a length of vectors. Where a backup was restored without vectors it has none. */
const FIND_LACKING = `
  UPDATE knowledge_indexes i SET dimensions = NULL, is_approximate = false,
    lacks_vectors = EXISTS (SELECT FROM knowledge_chunks c WHERE c.index_id = i.id)
  WHERE state <> 'retired' AND to_regclass('knowledge_vectors_' || id) IS NULL AND (
    dimensions IS NOT NULL OR (NOT lacks_vectors AND EXISTS (SELECT FROM knowledge_chunks c WHERE c.index_id = i.id)))`;

/**
 * Makes what the database has of vectors into what this version expects: those of all indexes were in one table before, and
 * passages that were written without pgvector have none.
 */
export async function adoptVectors(dataSource: DataSource, log: Logger): Promise<void> {
  if (await hasTable(dataSource.manager, SHARED)) await moveAll(dataSource, log);
  await dataSource.query(FIND_LACKING);
}

/** Each index is moved in a transaction of its own: where the process ends in the middle, the next one goes on. */
async function moveAll(dataSource: DataSource, log: Logger): Promise<void> {
  const indexes = await dataSource.query<{ id: string }[]>(INDEXES).catch(ifGone);
  for (const { id } of indexes) await dataSource.transaction((tx) => move(tx, id));
  try {
    await dataSource.transaction(async (tx) => {
      await lockInTransaction(tx, SHARED);
      if (!(await hasTable(tx, SHARED))) return;
      while ((await tx.query<[object[], number]>(DELETE_UNUSED))[0].length === ROWS_AT_ONCE);
      await tx.query(`LOCK TABLE ${SHARED} IN ACCESS EXCLUSIVE MODE NOWAIT`);
      const rows = await tx.query<object[]>(`SELECT FROM ${SHARED} LIMIT 1`);
      if (rows.length === 0) await tx.query(`DROP TABLE ${SHARED}`);
    });
  } catch (error) {
    if (!isLockNotAvailable(error)) throw error;
    log.info('the old table knowledge_vectors is in use and will be dropped at a later start');
  }
}

async function move(tx: EntityManager, indexId: string): Promise<void> {
  await lockInTransaction(tx, SHARED);
  const [index] = await tx.query<{ dimensions: number | null }[]>(LOCK_INDEX, [indexId]);
  if (!index || index.dimensions === null || !(await hasTable(tx, SHARED))) return;
  const table = vectorTableOf(indexId);
  if (!(await hasTable(tx, table))) await createVectorTable(tx, indexId, index.dimensions);
  for (let moved = ROWS_AT_ONCE; moved === ROWS_AT_ONCE;) {
    const [row] = await tx.query<{ count: number }[]>(
      `WITH taken AS (${TAKE}), written AS (
         INSERT INTO ${table} (chunk_id, file_id, embedding) SELECT chunk_id, file_id, embedding FROM taken
         ON CONFLICT DO NOTHING RETURNING chunk_id)
       SELECT (SELECT count(*) FROM taken)::integer AS count`,
      [indexId],
    );
    moved = row?.count ?? 0;
  }
  await tx.query(
    `UPDATE knowledge_indexes SET is_approximate = false, lacks_vectors = EXISTS (
       SELECT FROM knowledge_chunks c WHERE c.index_id = $1
         AND NOT EXISTS (SELECT FROM ${table} v WHERE v.chunk_id = c.id))
     WHERE id = $1`,
    [indexId],
  );
}

/** Another process may have dropped it just now. */
function ifGone(error: unknown): [] {
  if (isUndefinedTable(error)) return [];
  throw error;
}
