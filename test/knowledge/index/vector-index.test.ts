import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IndexBuilder } from '../../../src/knowledge/index/index-builder.js';
import { KnowledgeIndex } from '../../../src/knowledge/index/knowledge-index.entity.js';
import { VECTOR_INDEX_JOB, VectorIndexJobs } from '../../../src/knowledge/index/vector-index-jobs.js';
import {
  createVectorTable,
  dropUnusedVectorTables,
  vectorTableOf,
} from '../../../src/knowledge/index/vector-tables.js';
import { PassageQueries } from '../../../src/knowledge/search/passage-queries.js';
import { Random } from '../../crash/random.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { onVectors } from '../../support/servers/services.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

const CHUNKS = 3_000;
const DIMENSIONS = 24;
const LIMIT = 10;

onVectors.describe('the vectors of a large base', () => {
  let [platform, baseId, userId, tenantId]: [Platform, string, string, string] = [] as never;
  beforeAll(fill);
  afterAll(() => platform.close());

  it('are found by an index of the database, which misses few of the nearest', async () => {
    await make();
    const queries = new PassageQueries(platform.app.database.dataSource);
    const scope = { reader: { tenantId, userId }, baseIds: [baseId] };
    const [index] = await queries.indexes(scope);
    const random = new Random(11);

    let found = 0;
    for (let asked = 0; asked < 50; asked += 1) {
      const vector = vectorOf(random);
      const exact = await queries.byVector(scope, [index?.id ?? ''], { vector, limit: LIMIT });
      const fast = await queries.byVectorIndex(scope, index as never, { vector, limit: LIMIT });
      found += fast.filter(({ id }) => exact.some((other) => other.id === id)).length;
      expect(fast.map(({ score }) => score)).toEqual(fast.map(({ score }) => score).toSorted((a, b) => b - a));
    }

    expect(index).toMatchObject({ isApproximate: true, dimensions: DIMENSIONS });
    const plan = await new PassageQueries(explaining()).byVectorIndex(scope, index as never, {
      vector: vectorOf(random),
      limit: LIMIT,
    });
    expect(JSON.stringify(plan)).toContain(`Index Scan using knowledge_vectors_${index?.id}_hnsw`);
    expect(found / (50 * LIMIT)).toBeGreaterThanOrEqual(0.95);
  });

  it('are searched on where the nearest are none that may be read', async () => {
    await make();
    const queries = new PassageQueries(platform.app.database.dataSource);
    const scope = { reader: { tenantId, userId }, baseIds: [baseId], filter: { mark: 'rare' } };
    const [index] = await queries.indexes(scope);

    const found = await queries.byVectorIndex(scope, index as never, { vector: vectorOf(new Random(3)), limit: LIMIT });

    expect(found).toHaveLength(LIMIT);
    expect(found.every(({ id }) => Number(id.slice(4)) % 100 === 0)).toBe(true);
  });

  it('have the index once, also where its making was broken off, and lose it when they are searched no more', async () => {
    await make();
    await platform.query('UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass($1)', [
      await indexName(),
    ]);
    await platform.query('UPDATE knowledge_indexes SET is_approximate = false WHERE base_id = $1', [baseId]);

    await make();
    const made = await indexesOfVectors();
    await platform.query("UPDATE knowledge_indexes SET state = 'retired'");
    await dropUnusedVectorTables(platform.app.database.dataSource);
    const dropped = await indexesOfVectors();
    await platform.query("UPDATE knowledge_indexes SET state = 'active'");
    await fillTable();

    expect(made).toEqual([{ valid: true }]);
    expect(dropped).toEqual([]);
  });

  it('are put into the queue once there are enough of them, where that is supported', async () => {
    const sent: unknown[] = [];
    await platform.query('UPDATE knowledge_indexes SET is_approximate = false WHERE base_id = $1', [baseId]);

    for (const [isSupported, leastChunks] of [
      [true, CHUNKS],
      [false, CHUNKS - 1],
      [true, CHUNKS - 1],
    ] as const) {
      await newJobs(sent, { isSupported, leastChunks }).enqueueMissing();
    }

    expect(sent).toEqual([{ kind: VECTOR_INDEX_JOB, payload: { indexId: await indexId() } }]);
  });

  /** A base whose vectors are random, and whose files are one rare one and others. */
  async function fill(): Promise<void> {
    platform = await startPlatform();
    const { access_token: token, user } = await platform.login();
    const base = await KnowledgeProbe.create(platform, token);
    const files = await base.index({ 'often.txt': 'A text.', 'rare.txt': 'Another text.' });
    [baseId, userId] = [base.id, user.id];
    const [row] = await platform.query<{ tenant_id: string }>('SELECT tenant_id FROM knowledge_bases WHERE id = $1', [
      baseId,
    ]);
    tenantId = row?.tenant_id ?? '';
    await platform.query('UPDATE knowledge_files SET metadata = \'{"mark":"rare"}\' WHERE id = $1', [files[1]?.id]);
    await platform.query('DELETE FROM knowledge_chunks');
    await platform.query('UPDATE knowledge_indexes SET dimensions = $1', [DIMENSIONS]);
    await platform.query('UPDATE knowledge_files SET chunk_count = CASE WHEN id = $1 THEN $2 ELSE 0 END', [
      files[0]?.id,
      CHUNKS,
    ]);
    await platform.query(
      `INSERT INTO knowledge_chunks (id, index_id, file_id, position, start_at, end_at, headings, text, hash, words)
       SELECT 'chk_' || n, $1, CASE WHEN n % 100 = 0 THEN $3 ELSE $2 END, n, 0, 1, '{}', 'x', 'x', ''
       FROM generate_series(1, $4::integer) n`,
      [await indexId(), files[0]?.id, files[1]?.id, CHUNKS],
    );
    await fillTable();
  }

  /** Puts random vectors in the place of those of the base. */
  async function fillTable(): Promise<void> {
    const id = await indexId();
    const random = new Random(7);
    const vectors = Array.from({ length: CHUNKS }, () => `[${vectorOf(random).join(',')}]`);
    await platform.app.database.dataSource.transaction(async (tx) => {
      await tx.query(`DROP TABLE IF EXISTS ${vectorTableOf(id)}`);
      await createVectorTable(tx, id, DIMENSIONS);
      await tx.query(
        `INSERT INTO ${vectorTableOf(id)} (chunk_id, file_id, embedding) SELECT c.id, c.file_id, embedding::vector
         FROM unnest($1::text[]) WITH ORDINALITY AS v (embedding, n) JOIN knowledge_chunks c ON c.id = 'chk_' || n`,
        [vectors],
      );
    });
  }

  /** Tells how the database would answer in place of the answer. */
  function explaining() {
    const { dataSource } = platform.app.database;
    const transaction = (work: (tx: unknown) => unknown) =>
      dataSource.transaction(async (tx) =>
        work({
          query: (text: string, values: unknown[]) => tx.query(text.replace(/^(?=\s+SELECT id)/, 'EXPLAIN '), values),
        }),
      );
    return { transaction } as never;
  }

  function newJobs(sent: unknown[], options: { isSupported: boolean; leastChunks: number }): VectorIndexJobs {
    const { database } = platform.app;
    const jobs = { enqueue: async (request: unknown) => void sent.push(request) };
    const builder = new IndexBuilder(database, 64);
    return new VectorIndexJobs({ dataSource: database.dataSource, builder, jobs: jobs as never, ...options });
  }

  /** Does the job. */
  async function make(): Promise<void> {
    const { dataSource } = platform.app.database;
    const transaction = <T>(work: Parameters<typeof dataSource.transaction<T>>[1]) =>
      dataSource.transaction(work as never);
    const { signal } = new AbortController();
    const job = { payload: { indexId: await indexId() }, signal, transaction };
    await newJobs([], { isSupported: true, leastChunks: 1 }).handler.run(job as never);
  }

  async function indexId(): Promise<string> {
    const { manager } = platform.app.database.dataSource;
    return (await manager.findOneByOrFail(KnowledgeIndex, { baseId })).id;
  }

  async function indexesOfVectors(): Promise<unknown[]> {
    const sql = 'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)';
    return platform.query(sql, [await indexName()]);
  }

  async function indexName(): Promise<string> {
    return `${vectorTableOf(await indexId())}_hnsw`;
  }
});

function vectorOf(random: Random): number[] {
  return Array.from({ length: DIMENSIONS }, () => Math.round((random.next() - 0.5) * 1_000) / 1_000);
}
