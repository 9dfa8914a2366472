import type { EntityManager } from 'typeorm';
import { deleteVectors } from './vector-tables.js';

/** Passages in one transaction, each with its vector. */
const AT_ONCE = 100;
const CONDITIONS = {
  file: 'file_id = $1',
  index: 'index_id = $1',
  fileInIndex: 'file_id = $1 AND index_id = $2',
} as const;

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
  const [chunks] = await tx.query<[{ id: string; indexId: string }[], number]>(
    `DELETE FROM knowledge_chunks WHERE id IN (SELECT id FROM knowledge_chunks WHERE ${CONDITIONS[of]} LIMIT ${AT_ONCE})
     RETURNING id, index_id AS "indexId"`,
    [...ids],
  );
  for (const [indexId, ofIndex] of Map.groupBy(chunks, (chunk) => chunk.indexId)) {
    await deleteVectors(
      tx,
      indexId,
      ofIndex.map(({ id }) => id),
    );
  }
  return chunks.length === AT_ONCE;
}
