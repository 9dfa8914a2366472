import type { Client } from 'pg';

const INDEX_OF =
  'SELECT i.id, f.id AS file FROM knowledge_indexes i JOIN knowledge_files f USING (base_id) WHERE base_id = $1';

/** The copies belong to another index, whose id is a word of each passage. */
const COPY = `
  INSERT INTO knowledge_chunks (id, index_id, file_id, position, start_at, end_at, headings, text, hash, words)
  SELECT 'chk_' || lpad($5::text, 4, '0') || lpad(position::text, 22, '0'), $2, $3, $4::integer + position, start_at, end_at,
    headings, text, hash, ts_delete(words, $1) || array_to_tsvector(ARRAY[$2])
  FROM knowledge_chunks WHERE index_id = $1`;
const COPY_VECTORS = `
  INSERT INTO knowledge_vectors (chunk_id, index_id, file_id, embedding)
  SELECT 'chk_' || lpad($4::text, 4, '0') || lpad(c.position::text, 22, '0'), $2, $3, v.embedding
  FROM knowledge_vectors v JOIN knowledge_chunks c ON c.id = v.chunk_id WHERE c.index_id = $1`;

/** What is copied, from base to base. */
export interface PassageCopies {
  readonly fromBase: string;
  /** It has one small file. */
  readonly toBase: string;
  readonly times: number;
  readonly hasVectors: boolean;
}

/** Copies all passages of a base that has one file to another one, straight in the tables: by the server it would take too long. */
export async function copyPassages(
  database: Client,
  { fromBase, toBase, times, hasVectors }: PassageCopies,
): Promise<void> {
  const [from, to] = [await indexOf(database, fromBase), await indexOf(database, toBase)];
  for (let copy = 1; copy <= times; copy += 1) {
    await database.query(COPY, [from.id, to.id, to.file, copy * 1_000_000, copy]);
    if (hasVectors) await database.query(COPY_VECTORS, [from.id, to.id, to.file, copy]);
  }
  await database.query(`VACUUM ANALYZE knowledge_chunks${hasVectors ? ', knowledge_vectors' : ''}`);
}

async function indexOf(database: Client, baseId: string): Promise<{ id: string; file: string }> {
  const { rows } = await database.query<{ id: string; file: string }>(INDEX_OF, [baseId]);
  const [row] = rows;
  if (!row || rows.length > 1) throw new Error('The base has not one index and one file.');
  return row;
}
