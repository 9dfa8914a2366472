import { createVectorTable, vectorTableOf, writeVectors } from '../../../src/knowledge/index/vector-tables.js';
import { PassageQueries } from '../../../src/knowledge/search/passage-queries.js';
import type { SearchedIndex, SearchScope } from '../../../src/knowledge/search/passage-queries.js';
import type { JsonObject } from '../../../src/platform/json/json-object.js';
import type { Platform } from '../servers/platform.js';
import { KnowledgeProbe } from './knowledge.js';

const ADD_FILES = `
  INSERT INTO knowledge_files (id, base_id, tenant_id, owner_id, filename, mime_type, kind, size_bytes, sha256, blob_key,
    status, pages_failed, chunk_count, progress, language, metadata, created_at)
  SELECT 'file_' || n, base_id, tenant_id, owner_id, filename, mime_type, kind, 0, n, blob_key, status, pages_failed,
    $2, 1, language, jsonb_build_object('n', n::integer) || ($3::jsonb[])[n::integer + 1], created_at
  FROM knowledge_files, generate_series(0, cardinality($3::jsonb[]) - 1) n WHERE base_id = $1`;
const AT_ONCE = 500;

/** A knowledge base with vectors of the test's own, straight in the tables: file n has the vectors n, n + files and so on. */
export interface BaseOfVectors {
  readonly index: SearchedIndex;
  /** What its owner searches. @param filter members that the metadata of files must have */
  scope(filter?: JsonObject): SearchScope;
}

/**
 * Makes it, with an HNSW index.
 * @param metadata of each file, beside its number `n`
 */
export async function createBaseOfVectors(
  platform: Platform,
  metadata: readonly JsonObject[],
  vectors: readonly (readonly number[])[],
): Promise<BaseOfVectors> {
  const { access_token: token, user } = await platform.login();
  const base = await KnowledgeProbe.create(platform, token);
  const [file] = await base.index({ 'first.txt': 'A text.' });
  const perFile = Math.ceil(vectors.length / metadata.length);
  const shown = metadata.map((one) => JSON.stringify(one));
  await platform.query(ADD_FILES, [base.id, perFile, shown]);
  await platform.query('DELETE FROM knowledge_files WHERE id = $1', [file?.id]);
  const [row] = await platform
    .query<{ id: string; tenantId: string }>(
      `UPDATE knowledge_indexes i SET dimensions = $2, is_approximate = true FROM knowledge_bases b
     WHERE b.id = i.base_id AND b.id = $1 RETURNING i.id, b.tenant_id AS "tenantId"`,
      [base.id, vectors[0]?.length],
    )
    .then(([rows]) => rows as never as { id: string; tenantId: string }[]);
  const { id, tenantId } = row as { id: string; tenantId: string };
  const table = vectorTableOf(id);
  const { dataSource } = platform.app.database;
  await dataSource.transaction(async (tx) => {
    await tx.query(`DROP TABLE IF EXISTS ${table}`);
    await createVectorTable(tx, id, vectors[0]?.length ?? 0);
    for (let first = 0; first < vectors.length; first += AT_ONCE) {
      const some = vectors.slice(first, first + AT_ONCE).map((vector, at) => ({
        chunkId: `chk_${first + at}`,
        fileId: `file_${(first + at) % metadata.length}`,
        vector,
      }));
      await writeVectors(tx, id, some);
    }
  });
  await platform.query(`CREATE INDEX ${table}_hnsw ON ${table} USING hnsw (embedding vector_cosine_ops)`);
  await platform.query(`ANALYZE ${table}`);
  const scope = (filter?: JsonObject) => ({ reader: { tenantId, userId: user.id }, baseIds: [base.id], filter });
  const [index] = await new PassageQueries(dataSource).indexes(scope());
  return { index: index as SearchedIndex, scope };
}
