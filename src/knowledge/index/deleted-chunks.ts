import type { EntityManager } from 'typeorm';
import { deleteVectors } from './vector-tables.js';

/** Passages in one transaction, each with its vector. */
const AT_ONCE = 100;
const CONDITIONS = {
  file: 'file_id = $1',
  index: 'index_id = $1',
  fileInIndex: 'file_id = $1 AND index_id = $2',
} as const;

/** Their file and their index may be deleted at the same time: locked in one order, they cannot deadlock. */
const DELETE = `
  DELETE FROM knowledge_chunks WHERE id IN (SELECT id FROM knowledge_chunks WHERE id = ANY($1) ORDER BY id FOR UPDATE)
  RETURNING id, index_id AS "indexId"`;

/**
 * Deletes some of the passages of a file, an index, or a file in an index, with their vectors.
 * @param ids of them, in that order
 * @returns whether there may be more of them
 */
export async function deleteSomeChunks(
  tx: EntityManager,
  of: keyof typeof CONDITIONS,
  ids: readonly string[],
): Promise<boolean> {
  const found = await tx.query<{ id: string }[]>(
    `SELECT id FROM knowledge_chunks WHERE ${CONDITIONS[of]} LIMIT ${AT_ONCE}`,
    [...ids],
  );
  const [deleted] = await tx.query<[{ id: string; indexId: string }[], number]>(DELETE, [found.map(({ id }) => id)]);
  for (const [indexId, chunks] of Map.groupBy(deleted, (chunk) => chunk.indexId)) {
    const chunkIds = chunks.map(({ id }) => id);
    await deleteVectors(tx, indexId, chunkIds);
  }
  // Of those that were found, another transaction may have deleted some.
  return found.length === AT_ONCE;
}
