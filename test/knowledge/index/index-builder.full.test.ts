import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { IndexBuilder } from '../../../src/knowledge/index/index-builder.js';
import type { IndexDefinition } from '../../../src/knowledge/index/index-builder.js';
import { dropUnusedVectorTables } from '../../../src/knowledge/index/vector-tables.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import type { Database } from '../../../src/platform/database/database.js';
import { eventually } from '../../support/probes/eventually.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';
import { SlowIndexes } from './slow-indexes.js';

const MEMORY_MIB = 96;
const { signal } = new AbortController();

onPostgres.describe('the builder of indexes', () => {
  let [opened, otherDatabase, slow]: [OpenTestDatabase, Database, SlowIndexes] = [] as never;
  let [builder, other]: [IndexBuilder, IndexBuilder] = [] as never;
  let index: IndexDefinition;
  beforeAll(begin);
  afterAll(end);
  beforeEach(shut);
  afterEach(() => slow.open());

  it('builds without workers where these have not enough shared memory', async () => {
    await slow.open();
    const columns = 'USING btree (needs_shared_memory(embedding))';

    const result = await builder.build({ ...index, columns }, signal);

    expect(result).toBe('built');
    expect(await slow.built(index)).toMatchObject({ valid: true });
  });

  it('leaves nothing on a full disk of an index that it could not build', async () => {
    const columns = 'USING btree (needs_a_larger_disk(embedding))';

    await expect(builder.build({ ...index, columns }, signal)).rejects.toThrow('could not extend file');

    expect(await slow.built(index)).toBeUndefined();
  });

  it('builds one index at a time over all processes, and keeps nobody waiting', async () => {
    const [second, unused] = [await slow.table(), await slow.table()];
    const stop = slow.work([index.table, second.table]);

    const build = builder.build(index, signal);
    const id = await slow.building(index);
    const meanwhile = [await other.build(index, signal), await other.build(second, signal)];
    await slow.retire(unused);
    await dropUnusedVectorTables(opened.database.dataSource);
    const isThere = await slow.has(unused);
    await slow.open();

    expect([meanwhile, await build]).toEqual([['busy', 'busy'], 'built']);
    expect(isThere).toBe(false);
    expect([await other.build(index, signal), await other.build(second, signal)]).toEqual(['built', 'built']);
    expect(await slow.built(index)).toEqual({ id, valid: true });
    expect(await stop()).toEqual({ errors: [], done: expect.any(Number) });
  });

  it('leaves a build to PostgreSQL whose process was killed, and takes over what that has built', async () => {
    const stop = slow.work([index.table]);
    const args = ['--import', 'tsx', 'test/support/servers/index-build.ts', JSON.stringify(index)];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...opened.env }, stdio: 'inherit' });
    const id = await slow.building(index);

    child.kill('SIGKILL');
    await once(child, 'exit');
    const after = await builder.build(index, signal);
    await slow.open();
    await eventually('it is built', 20, async () => (await builder.build(index, signal)) === 'built');

    expect(after).toBe('busy');
    expect(await slow.built(index)).toEqual({ id, valid: true });
    expect((await stop()).errors).toEqual([]);
  });

  it('waits no more when its process stops, and the build goes on', async () => {
    const stopping = new AbortController();
    const build = builder.build(index, stopping.signal);
    const id = await slow.building(index);

    stopping.abort(new Error('The process stops.'));

    await expect(build).rejects.toThrow('The process stops.');
    expect(await other.build(index, signal)).toBe('busy');
    await slow.open();
    await eventually('it is built', 20, async () => (await other.build(index, signal)) === 'built');
    expect(await slow.built(index)).toEqual({ id, valid: true });
  });

  it('leaves the table to the next time whose index is not wanted any more while it is built', async () => {
    const build = builder.build(index, signal);
    await slow.building(index);

    await slow.retire(index);
    await dropUnusedVectorTables(otherDatabase.dataSource);
    const isThere = await slow.has(index);
    await slow.open();

    expect([isThere, await build]).toEqual([true, 'built']);
    await dropUnusedVectorTables(otherDatabase.dataSource);
    expect(await slow.has(index)).toBe(false);
  });

  it('makes an index anew whose build was broken off', async () => {
    const stop = slow.work([index.table]);
    const build = builder.build(index, signal);
    const id = await slow.building(index);

    await Promise.all([expect(build).rejects.toThrow(), slow.query(TERMINATE)]);
    const broken = await slow.built(index);
    await slow.open();

    expect(broken).toEqual({ id, valid: false });
    // The backend tells its client of its end before it gives the lock back.
    await eventually('it is built', 20, async () => (await builder.build(index, signal)) === 'built');
    expect(await slow.built(index)).toMatchObject({ valid: true });
    expect((await stop()).errors).toEqual([]);
  });

  it('has memory of its own, and builds nothing where the table is gone', async () => {
    await slow.open();
    await builder.build(index, signal);
    await slow.query(`DROP TABLE ${index.table}`);

    expect(await builder.build(index, signal)).toBe('gone');
    const sql = 'SELECT last_value::float8 AS bytes FROM memory_of_build';
    expect(await slow.query(sql)).toEqual([{ bytes: MEMORY_MIB * 1_048_576 }]);
    const [{ memory }] = (await opened.database.dataSource.query('SHOW maintenance_work_mem')).map(
      (row: { maintenance_work_mem: string }) => ({ memory: row.maintenance_work_mem }),
    );
    expect(memory).not.toBe(`${MEMORY_MIB}MB`);
  });

  async function begin(): Promise<void> {
    opened = await openTestDatabase();
    otherDatabase = await openDatabase(readConfig(opened.env), schema, silentLog);
    builder = new IndexBuilder(opened.database, MEMORY_MIB);
    other = new IndexBuilder(otherDatabase, MEMORY_MIB);
    slow = await SlowIndexes.start(opened.env.DATABASE_URL ?? '');
  }

  /** No build ends before the gate is opened. */
  async function shut(): Promise<void> {
    await slow.shut();
    index = await slow.table();
  }

  /** Each session tells of its deadlocks when it ends, at the latest. */
  async function end(): Promise<void> {
    const deadlocks = await slow.deadlocks();
    await slow.close();
    await otherDatabase.close();
    await opened.close();
    expect(deadlocks).toBe(0);
  }
});

/** Ends the builds of this database; other tests have theirs on the same server. */
const TERMINATE = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'index build' AND datname = current_database()`;
