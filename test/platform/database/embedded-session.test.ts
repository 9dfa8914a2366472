import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedServer } from '../../../src/platform/database/embedded-database.js';
import type { EmbeddedServer } from '../../../src/platform/database/embedded-database.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { onEmbedded } from '../../support/servers/services.js';

const INSERT = 'INSERT INTO written VALUES ($1)';

onEmbedded.describe('the session that all clients of the embedded database share', () => {
  let place: TestDatabase;
  let server: EmbeddedServer;
  let reader: pg.Client;

  beforeAll(start);
  afterAll(stop);
  beforeEach(() => reader.query('TRUNCATE written'));

  it('keeps what each was told is written, and nothing that was rolled back or whose client died', async () => {
    const clients = ['a', 'b', 'c', 'd'];
    const written = await Promise.all(clients.map((name) => write(name)));

    const { rows } = await reader.query<{ id: string }>('SELECT id FROM written ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual(written.flat().sort());
  });

  it('goes on behind a statement that failed, for its client and for others', async () => {
    const client = await connect();
    const failed = client.query('SELECT 1 / $1::int', [0]);
    const others = [client.query(INSERT, ['after']), reader.query(INSERT, ['beside'])];

    await expect(failed).rejects.toThrow('division by zero');
    await Promise.all(others);
    await client.end();

    expect((await reader.query('SELECT FROM written')).rowCount).toBe(2);
  });

  it('answers a value that comes in many pieces, and an answer of many megabytes', async () => {
    const value = 'ü'.repeat(3_000_000);

    const { rows } = await reader.query<{ value: string }>('SELECT $1::text AS value', [value]);

    expect(rows[0]?.value === value).toBe(true);
  });

  /** Writes rows one after another: alone, in transactions, and in some that come to nothing. @returns those that stay */
  async function write(name: string): Promise<string[]> {
    const kept: string[] = [];
    let client = await connect();
    for (let number = 0; number < 24; number += 1) {
      const id = `${name}${number}`;
      const ends = (['COMMIT', 'ROLLBACK', 'death', 'none'] as const)[number % 4];
      if (ends !== 'none') await client.query('BEGIN');
      await client.query(INSERT, [id]);
      if (ends === 'COMMIT' || ends === 'none') kept.push(id);
      if (ends === 'death') {
        client.connection.stream.destroy();
        client = await connect();
      } else if (ends !== 'none') await client.query(ends ?? '');
    }
    await client.end();
    return kept;
  }

  async function connect(): Promise<pg.Client & { connection: { stream: { destroy(): void } } }> {
    const client = new pg.Client({ host: server.socketFolder, user: 'postgres', database: 'postgres' });
    // One whose connection was destroyed says so.
    client.on('error', () => undefined);
    await client.connect();
    return client as never;
  }

  async function start(): Promise<void> {
    place = await createTestDatabaseFolder();
    server = await startEmbeddedServer(String(place.env.DATA_DIR), silentLog);
    reader = await connect();
    await reader.query('CREATE TABLE written (id text PRIMARY KEY)');
  }

  async function stop(): Promise<void> {
    await reader.end();
    await server.close();
    await place.drop();
  }
});
