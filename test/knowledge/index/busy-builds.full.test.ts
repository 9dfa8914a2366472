import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { eventually } from '../../support/probes/eventually.js';
import { vectorTables } from '../../support/probes/stored-vectors.js';
import { createTestDatabase } from '../../support/servers/database.js';
import { FakePgvector } from '../../support/servers/fake-pgvector.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onPlainPostgres } from '../../support/servers/services.js';

const LOOK = 'looking for indexes of vectors to build';
const DROP = 'dropping tables of vectors that are not used';
const COMPLETE = 'making vectors that passages lack';
onPlainPostgres.describe('a server whose indexes of vectors are being built', () => {
  let [fake, platform, replica, token]: [FakePgvector, Platform, Platform, string] = [] as never;
  beforeAll(begin);
  afterAll(end);

  it('finds by vectors, whichever process is asked', async () => {
    const base = await filled('first');

    expect(await onBoth(base)).toEqual([2, 2]);
  });

  it('has one table for the first vectors of a base, whichever process makes them', async () => {
    const base = await KnowledgeProbe.create(platform, token);
    const others = ['one', 'two', 'three', 'four'].map((name) =>
      base.index({ [`${name}.md`]: `${HANDBOOK}\n${name}` }),
    );

    const files = (await Promise.all(others)).flat();

    expect(files.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready']);
    expect(await tablesOf([base])).toHaveLength(1);
    expect(failures()).toEqual([]);
  });

  it('reads, writes, deletes and makes vectors anew, and no statement waits for a lock for a second', async () => {
    const bases = await Promise.all(['one', 'two', 'reindexed', 'deleted'].map(filled));
    const [one, two, reindexed, deleted] = bases as [KnowledgeProbe, KnowledgeProbe, KnowledgeProbe, KnowledgeProbe];
    await fake.shut();
    await enlarge([one, two]);
    await look();
    await eventually('one is being built', 20, async () => (await fake.query(BUILDING)).length === 1);

    const files = await Promise.all([one, two].map((base) => base.index({ 'more.md': `${HANDBOOK}\n${base.id}` })));
    await look();
    await platform.query('UPDATE knowledge_indexes SET lacks_vectors = true WHERE base_id = $1', [reindexed.id]);
    await platform.runTask(COMPLETE);
    await Promise.all([deleted.request('DELETE'), one.request('DELETE', `/files/${files[0]?.[0]?.id}`)]);
    const found = await Promise.all([one, two, reindexed].flatMap((base) => [onBoth(base), onBoth(base)]));
    await eventually('the vectors are made anew', 20, async () => (await lacking()) === 0);
    await eventually('what is not used is dropped', 20, async () => (await tablesOf(bases)).length === 3);
    const building = await fake.query(BUILDING);
    await fake.open();
    await eventually('both are built', 60, async () => {
      await makeDue();
      return (await approximate()) === 2;
    });

    expect(building).toHaveLength(1);
    expect(files.flat().map(({ status }) => status)).toEqual(['ready', 'ready']);
    expect(found.flat().every((count) => count > 0)).toBe(true);
    expect(failures()).toEqual([]);
  });

  it('goes on with the index after an orderly restart', async () => {
    const base = await filled('restarted');
    await fake.shut();
    await enlarge([base]);
    await look();
    await eventually('it is being built', 20, async () => (await fake.query(BUILDING)).length === 1);
    const [before, count] = [await indexOf(base), await approximate()];

    await platform.restart();
    await replica.restart();
    const during = await fake.query(BUILDING);
    await fake.open();
    await eventually('it is built', 60, async () => {
      await makeDue();
      return (await approximate()) > count;
    });

    expect(during).toHaveLength(1);
    expect(await indexOf(base)).toBe(before);
    expect(await onBoth(base)).toEqual([2, 2]);
    expect(failures()).toEqual([]);
  });

  it('drops the table of a base that is deleted meanwhile as soon as it can', async () => {
    const base = await filled('gone');
    await fake.shut();
    await enlarge([base]);
    await look();
    await eventually('it is being built', 20, async () => (await fake.query(BUILDING)).length === 1);

    await base.request('DELETE');
    await eventually('its files are gone', 20, async () => (await left(base)) === 0);
    const before = await vectorTables(platform);
    await fake.open();
    await eventually('its table is dropped', 60, async () => {
      await platform.runTask(DROP);
      return (await vectorTables(platform)).length < before.length;
    });

    expect(failures()).toEqual([]);
  });

  async function begin(): Promise<void> {
    platform = await startPlatform({}, async () => {
      const database = await createTestDatabase();
      fake = await FakePgvector.install(database.env.DATABASE_URL ?? '');
      await fake.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = 1000', current_database()); END $$`,
      );
      return database;
    });
    replica = await platform.startReplica();
    token = (await platform.login()).access_token;
  }

  async function end(): Promise<void> {
    await fake.open();
    await replica.close();
    const [row] = await fake.query<{ count: number }>(DEADLOCKS);
    await fake.close();
    await platform.close();
    expect(row?.count).toBe(0);
  }

  async function filled(name: string): Promise<KnowledgeProbe> {
    const base = await KnowledgeProbe.create(platform, token);
    await base.index({ [`${name}.md`]: `${HANDBOOK}\n${name}` });
    return base;
  }

  /** Lets bases have as many passages as it takes. */
  async function enlarge(bases: readonly KnowledgeProbe[]): Promise<void> {
    const sql = 'UPDATE knowledge_files SET chunk_count = 30000 WHERE base_id = ANY($1)';
    await platform.query(sql, [bases.map(({ id }) => id)]);
  }

  /** The tables of the vectors of some bases. */
  async function tablesOf(bases: readonly KnowledgeProbe[]): Promise<unknown[]> {
    const sql = `SELECT FROM knowledge_indexes WHERE base_id = ANY($1) AND to_regclass('knowledge_vectors_' || id) IS NOT NULL`;
    return platform.query(sql, [bases.map(({ id }) => id)]);
  }

  async function look(): Promise<void> {
    await Promise.all([platform.runTask(LOOK), replica.runTask(LOOK)]);
  }

  /** How many passages each of the processes finds. */
  async function onBoth({ id }: KnowledgeProbe): Promise<number[]> {
    const body = { query: 'How many days of holidays do I have?', mode: 'vector' };
    const path = `/v1/knowledgebases/${id}/query`;
    const answers = await Promise.all([platform, replica].map((one) => one.request('POST', path, { token, body })));
    return answers.map((answer) => answer.body.data?.length ?? 0);
  }

  async function makeDue(): Promise<void> {
    await platform.query("UPDATE jobs.job SET start_after = now() WHERE name = 'knowledge.vector_index'");
    await Promise.all([platform, replica].map((one) => one.runTask('looking for jobs that are due')));
  }

  /** The object id of the index of a base, which another build would change. */
  async function indexOf({ id }: KnowledgeProbe): Promise<unknown> {
    const sql = `SELECT to_regclass('knowledge_vectors_' || id || '_hnsw')::oid AS oid FROM knowledge_indexes
      WHERE base_id = $1`;
    return (await fake.query<{ oid: unknown }>(sql, [id]))[0]?.oid;
  }

  /** How many bases have passages without vectors. */
  async function lacking(): Promise<number> {
    return (await platform.query("SELECT FROM knowledge_indexes WHERE lacks_vectors AND state = 'active'")).length;
  }

  async function approximate(): Promise<number> {
    return (await platform.query("SELECT FROM knowledge_indexes WHERE is_approximate AND state = 'active'")).length;
  }

  async function left({ id }: KnowledgeProbe): Promise<number> {
    return (await platform.query('SELECT FROM knowledge_bases WHERE id = $1', [id])).length;
  }

  /** Errors in the log of both processes, and warnings of deadlocks and of locks that were not had within a second. */
  function failures(): unknown[] {
    const lines = platform.logLines.map((line) => JSON.parse(line));
    return lines.filter(({ level, err }) => level >= 50 || /^(40P01|55P03)$/.test(err?.code));
  }
});

/** Before these phases the index is not there yet. */
const BUILDING = `
  SELECT k.base_id AS "baseId" FROM pg_stat_progress_create_index p
  JOIN knowledge_indexes k ON to_regclass('knowledge_vectors_' || k.id) = p.relid
  WHERE p.phase LIKE 'building index%'`;

const DEADLOCKS = 'SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()';
