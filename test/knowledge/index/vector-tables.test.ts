import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { adoptVectors } from '../../../src/knowledge/index/shared-vectors.js';
import { deleteVectors } from '../../../src/knowledge/index/vector-tables.js';
import { newId } from '../../../src/platform/ids.js';
import { KnowledgeProbe, HANDBOOK } from '../../support/builders/knowledge.js';
import { eventually } from '../../support/probes/eventually.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { countVectorsOfFile, vectorTables } from '../../support/probes/stored-vectors.js';
import { onVectors } from '../../support/servers/services.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

const DROP = 'dropping tables of vectors that are not used';
const QUESTION = 'How many days of holidays do I have?';

onVectors.describe('the vectors of a knowledge base', () => {
  let [platform, token]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  afterEach(() => platform.query('DELETE FROM knowledge_bases').then(() => platform.runTask(DROP)));

  it('have a table of their own from the first one on, which goes with the base', async () => {
    const base = await KnowledgeProbe.create(platform, token);
    const empty = await vectorTables(platform);
    await base.index({ 'handbook.md': HANDBOOK });
    const [index] = await indexesOf(base);

    expect(empty).toEqual([]);
    expect(await vectorTables(platform)).toEqual([`knowledge_vectors_${index?.id}`]);
    await base.request('DELETE');
    await eventually('it is dropped', 20, async () => (await vectorTables(platform)).length === 0);
  });

  it('are searched together with those of other bases, also of one that has none yet', async () => {
    const [one, other, empty] = [await filled('one.md'), await filled('other.md'), await filled()];
    const found = await platform.app.ports.knowledgeSearch.search(
      { ...(await owner(one)), tokenId: 'tok_test' },
      [one.id, other.id, empty.id],
      { query: QUESTION, mode: 'vector' },
      { serverRequestId: 'test', signal: new AbortController().signal },
    );

    expect(
      found
        .slice(0, 2)
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(['one.md', 'other.md']);
    expect(await empty.query(QUESTION, { mode: 'vector' })).toEqual([]);
  });

  it('are dropped of an index that another one has replaced', async () => {
    const base = await filled('handbook.md');
    const [before] = await indexesOf(base);
    await base.request('PATCH', '', { embedding_model: 'no-such-model' });
    await platform.query("UPDATE knowledge_indexes SET state = 'retired' WHERE id = $1", [before?.id]);

    await platform.runTask(DROP);

    expect(await vectorTables(platform)).toEqual([]);
  });

  it('are moved out of the table that an earlier version had for all of them', async () => {
    const bases = [await filled('one.md'), await filled('other.md')];
    const found = await Promise.all(bases.map((base) => base.query(QUESTION, { mode: 'vector' })));
    await shareTable();

    await platform.restart();

    const indexes = (await Promise.all(bases.map(indexesOf))).flat();
    expect(await vectorTables(platform)).toEqual(indexes.map(({ id }) => `knowledge_vectors_${id}`).toSorted());
    expect(await Promise.all(bases.map((base) => base.query(QUESTION, { mode: 'vector' })))).toEqual(found);
    expect(indexes.every(({ isApproximate, lacksVectors }) => !isApproximate && !lacksVectors)).toBe(true);
  });

  it('are moved on where the one before had moved some of them, and what lacks a vector is known', async () => {
    const bases = [await filled('one.md'), await filled('other.md')];
    await shareTable();
    const [first, second] = (await Promise.all(bases.map(indexesOf))).flat();
    await platform.query(
      'DELETE FROM knowledge_vectors WHERE chunk_id = (SELECT min(chunk_id) FROM knowledge_vectors WHERE index_id = $1)',
      [second?.id],
    );
    const { dataSource } = platform.app.database;
    await platform.query('ALTER TABLE knowledge_vectors RENAME TO all_vectors');
    await platform.query('CREATE TABLE knowledge_vectors AS SELECT * FROM all_vectors WHERE index_id = $1', [
      first?.id,
    ]);
    await adoptVectors(dataSource, silentLog);
    const between = await vectorTables(platform);
    await platform.query('ALTER TABLE all_vectors RENAME TO knowledge_vectors');

    await adoptVectors(dataSource, silentLog);

    expect(between).toEqual([`knowledge_vectors_${first?.id}`]);
    expect(await vectorTables(platform)).toHaveLength(2);
    const indexes = (await Promise.all(bases.map(indexesOf))).flat();
    expect(indexes.map(({ lacksVectors }) => lacksVectors)).toEqual([false, true]);
    expect((await bases[0]?.query(QUESTION, { mode: 'vector' }))?.[0]?.filename).toBe('one.md');
  });

  it('go with their file, one by one', async () => {
    const base = await KnowledgeProbe.create(platform, token);
    const [gone, kept] = await base.index({ 'gone.md': HANDBOOK, 'kept.md': `${HANDBOOK}\nMore.` });

    await base.request('DELETE', `/files/${gone?.id}`);

    await eventually('they are gone', 20, async () => (await countVectorsOfFile(platform, gone?.id)) === 0);
    expect(await countVectorsOfFile(platform, kept?.id)).toBeGreaterThan(0);
  });

  it('may lose their table while they are deleted, which ends no transaction', async () => {
    await platform.app.database.dataSource.transaction(async (tx) => {
      const query = (text: string, values?: unknown[]) =>
        text.includes('to_regclass') ? [{ isThere: true }] : tx.query(text, values);
      const beforeTheDrop = Object.create(tx, { query: { value: query } }) as typeof tx;

      await deleteVectors(beforeTheDrop, newId('kix'), ['chk_gone']);

      expect(await tx.query('SELECT 1 AS still')).toEqual([{ still: 1 }]);
    });
  });

  /** A base with a file, or none. */
  async function filled(name?: string): Promise<KnowledgeProbe> {
    const base = await KnowledgeProbe.create(platform, token);
    if (name) await base.index({ [name]: HANDBOOK });
    return base;
  }

  async function owner({ id }: KnowledgeProbe): Promise<{ tenantId: string; userId: string }> {
    const sql = 'SELECT tenant_id AS "tenantId", owner_id AS "userId" FROM knowledge_bases WHERE id = $1';
    return (await platform.query<{ tenantId: string; userId: string }>(sql, [id]))[0] as never;
  }

  /** Puts all vectors into one table, as an earlier version did. */
  async function shareTable(): Promise<void> {
    const tables = await vectorTables(platform);
    await platform.query(
      `CREATE TABLE knowledge_vectors (chunk_id text PRIMARY KEY, index_id text NOT NULL, file_id text NOT NULL,
         embedding vector NOT NULL)`,
    );
    for (const table of tables) {
      const indexId = table.slice('knowledge_vectors_'.length);
      await platform.query(
        `INSERT INTO knowledge_vectors SELECT chunk_id, '${indexId}', file_id, embedding FROM ${table}`,
      );
      await platform.query(`DROP TABLE ${table}`);
    }
    await platform.query('UPDATE knowledge_indexes SET is_approximate = true, lacks_vectors = false');
  }

  function indexesOf(base: KnowledgeProbe): Promise<{ id: string; isApproximate: boolean; lacksVectors: boolean }[]> {
    return platform.query(
      `SELECT id, is_approximate AS "isApproximate", lacks_vectors AS "lacksVectors" FROM knowledge_indexes
       WHERE base_id = $1`,
      [base.id],
    );
  }
});
