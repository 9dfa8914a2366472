import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { deleteSomeChunks } from '../../../src/knowledge/index/deleted-chunks.js';
import { newId } from '../../../src/platform/ids.js';
import { eventually } from '../../support/probes/eventually.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';

onPostgres.describe('passages that are deleted with their file and with their index at once', () => {
  let [opened, other]: [OpenTestDatabase, pg.Client] = [] as never;
  beforeAll(begin);
  afterAll(() => other.end().then(() => opened.close()));

  it('are locked in one order, so that neither of the two deadlocks', async () => {
    const fileId = await fill(3);
    await other.query('BEGIN');
    await other.query(DELETE, ['chk_1']);

    const deletion = deleteSome(fileId);
    await eventually('it waits for the first', 20, isWaiting);
    await other.query(DELETE, ['chk_3']);
    await other.query('COMMIT');

    expect(await deletion).toBe(false);
    expect(await left(fileId)).toBe(0);
  });

  it('are not taken for the last ones where others have deleted some of them meanwhile', async () => {
    const fileId = await fill(150);
    await other.query('BEGIN');
    await other.query('DELETE FROM knowledge_chunks WHERE position < 120');

    const deletion = deleteSome(fileId);
    await eventually('it waits for them', 20, isWaiting);
    await other.query('COMMIT');

    expect([await deletion, await left(fileId)]).toEqual([true, 30]);
    expect([await deleteSome(fileId), await left(fileId)]).toEqual([false, 0]);
  });

  async function begin(): Promise<void> {
    opened = await openTestDatabase();
    other = new pg.Client({ connectionString: opened.env.DATABASE_URL });
    await other.connect();
    // The passages have no bases.
    await other.query('SET session_replication_role = replica');
  }

  /** Adds passages of a file whose ids rise where their positions, in whose order they are found, fall. */
  async function fill(count: number): Promise<string> {
    const fileId = newId('file');
    await other.query(ADD, [newId('kix'), fileId, count]);
    return fileId;
  }

  function deleteSome(fileId: string): Promise<boolean> {
    return opened.database.dataSource.transaction((tx) => deleteSomeChunks(tx, 'file', [fileId]));
  }

  async function isWaiting(): Promise<boolean> {
    const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    return (await other.query(sql)).rows.length > 0;
  }

  async function left(fileId: string): Promise<number> {
    return (await other.query('SELECT FROM knowledge_chunks WHERE file_id = $1', [fileId])).rows.length;
  }
});

const DELETE = 'DELETE FROM knowledge_chunks WHERE id = $1';
const ADD = `
  INSERT INTO knowledge_chunks (id, index_id, file_id, position, start_at, end_at, headings, text, hash, words)
  SELECT 'chk_' || $3::integer - at, $1, $2, at, 0, 1, '{}', 'text', 'hash', to_tsvector('text')
  FROM generate_series(0, $3::integer - 1) at`;
