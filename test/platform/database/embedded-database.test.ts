import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { isDatabaseUnavailable } from '../../../src/platform/database/postgres-errors.js';
import { startEmbeddedServer } from '../../../src/platform/database/embedded-database.js';
import { OperationalError } from '../../../src/platform/operational-error.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { onEmbedded } from '../../support/servers/services.js';
import { silentLog } from '../../support/probes/silent-log.js';

/** A database that is made from nothing takes 7 s of an idle core. */
const MAKING_MS = 120_000;

onEmbedded.describe('the embedded database', () => {
  let place: TestDatabase;
  let folder: string;

  beforeEach(async () => {
    place = await createTestDatabaseFolder();
    folder = String(place.env.DATA_DIR);
  });

  afterEach(() => place.drop());

  test(
    'makes a private data folder, keeps its rows over a restart, and leaves no lock',
    async () => {
      const dataDir = join(folder, 'new', 'data');
      const first = await open(dataDir);
      await first.dataSource.query('CREATE TABLE stored AS SELECT 7 AS number');
      await first.close();

      const second = await open(dataDir);
      const rows: unknown = await second.dataSource.query('SELECT number FROM stored');
      await second.close();

      expect(rows).toEqual([{ number: 7 }]);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      expect(await readdir(dataDir)).toEqual(['postgres']);
    },
    MAKING_MS,
  );

  test(
    'refuses a second process while the first lives, and is free once that was killed',
    async () => {
      const holder = spawn(process.execPath, ['--import', 'tsx', 'test/support/servers/database-holder.ts'], {
        env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(holder.stdout, 'data');

      await expect(open()).rejects.toThrow(`The data folder ${folder} is in use by process ${holder.pid}.`);
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const database = await open();
      await database.close();

      expect(await readdir(folder)).toEqual(['postgres']);
    },
    MAKING_MS,
  );

  const damages: [string, (postgres: string) => Promise<unknown>][] = [
    ['has no PG_VERSION', (postgres) => rm(join(postgres, 'PG_VERSION'))],
    ['has no pg_control', (postgres) => rm(join(postgres, 'global', 'pg_control'))],
    ['has half a pg_control', (postgres) => truncate(join(postgres, 'global', 'pg_control'), 4_096)],
    ['has another pg_control', (postgres) => writeFile(join(postgres, 'global', 'pg_control'), randomBytes(8_192))],
    ['has no log of its own', (postgres) => rm(join(postgres, 'pg_wal'), { recursive: true })],
    ['has settings that make no sense', (postgres) => writeFile(join(postgres, 'postgresql.conf'), 'work_mem = (')],
    ['is of another version', (postgres) => writeFile(join(postgres, 'PG_VERSION'), '9\n')],
  ];

  test.each(damages)('is refused in one sentence where it %s, and is left as it is', async (_what, damage) => {
    const postgres = join(folder, 'postgres');
    await damage(postgres);
    const base = await readdir(join(postgres, 'base', '5'));

    const failure = await open().catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(OperationalError);
    expect(String(failure)).toMatch(/The embedded database in \S+ does not start \(.*it is damaged: restore a backup/);
    expect(await readdir(join(postgres, 'base', '5'))).toEqual(base);
    expect(await readdir(folder)).toEqual(['postgres']);
  });

  test('is given up where it takes too long to start', async () => {
    const start = startEmbeddedServer(folder, silentLog, 1);

    await expect(start).rejects.toThrow('(it took longer than 0.001 s)');
    const database = await open();
    await database.close();

    expect(await readdir(folder)).toEqual(['postgres']);
  });

  test(
    'is made anew where its making was cut off',
    async () => {
      const dataDir = join(folder, 'new');
      await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true });

      const server = await startEmbeddedServer(dataDir, silentLog);
      await server.close();

      expect(await readdir(dataDir)).toEqual(['postgres']);
    },
    MAKING_MS,
  );

  test('logs what holds its only connection for long, without parameters', async () => {
    const lines: string[] = [];
    const database = await open(folder, pino({ level: 'debug' }, sinkTo(lines)));

    await database.dataSource.transaction((tx) => tx.query('SELECT pg_sleep(0.02), $1::text', ['a secret']));
    await database.close();

    expect(lines.join()).toContain('slow statement');
    expect(lines.join()).toContain('slow transaction');
    expect(lines.join()).not.toContain('a secret');
  });

  test('logs a panic, and then fails queries at once', async () => {
    const lines: string[] = [];
    const database = await open(folder, pino({ level: 'fatal' }, sinkTo(lines)));
    const failure = (sql: string) => database.dataSource.query(sql).catch((error: unknown) => error);

    await rm(join(folder, 'postgres', 'pg_wal'), { recursive: true });
    await failure('CREATE TABLE large AS SELECT generate_series(1, 1000000)');
    const panic = await failure('CHECKPOINT');
    const later = await failure('SELECT 1');
    await database.close();

    expect([panic, later].map(isDatabaseUnavailable)).toEqual([true, true]);
    expect(lines.join()).toContain('the embedded database has stopped');
  });

  test('still hears others when a client dies before it has ended its error', async () => {
    const database = await open();
    const runner = database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as WireClient;
    const ended = new Promise((resolve) => client.once('end', resolve));

    client.connection.parse({ name: '', text: 'no statement' });
    client.connection.flush();
    await once(client.connection, 'errorMessage');
    client.connection.stream.destroy();
    await ended;
    const rows: unknown = await database.dataSource.query('SELECT 1 AS one');
    await database.close();

    expect(rows).toEqual([{ one: 1 }]);
  });

  function open(dataDir = folder, logger = silentLog) {
    return openDatabase(readConfig({ DATA_DIR: dataDir }), schema, logger);
  }
});

function sinkTo(lines: string[]) {
  return new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
}

/** A `pg` client with the wire protocol below it. */
interface WireClient extends EventEmitter {
  readonly connection: EventEmitter & {
    readonly stream: Socket;
    parse(statement: { name: string; text: string }): void;
    flush(): void;
  };
}
