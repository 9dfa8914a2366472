import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { createApp } from '../src/app.js';
import { schema } from '../src/domains.js';
import { openDatabase } from '../src/platform/database/database.js';
import { OperationalError } from '../src/platform/operational-error.js';
import { readConfig } from '../src/config.js';
import { describeFailure } from '../src/unhandled-errors.js';
import { silentLog } from './support/probes/silent-log.js';
import { createTestDatabaseFolder } from './support/servers/database.js';
import type { TestDatabase } from './support/servers/database.js';
import { startPlatform } from './support/servers/platform.js';
import { ServerProcess } from './support/servers/server-process.js';

describe("a server's process", () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabaseFolder();
  });
  afterEach(() => database.drop());

  it('ends with one line where it cannot start: the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const server = await ServerProcess.start({ ...database.env, PORT: String(port) });
    const { code, stdout, stderr } = await server.ending();
    other.close();

    const line = `Another program serves at 127.0.0.1, port ${port} (EADDRINUSE). Stop it, or set another PORT.\n`;
    expect([code, stderr]).toEqual([1, line]);
    expect(stdout).not.toContain('serving');
  });

  it('ends with one line where it cannot start: the tables of jobs are damaged', async () => {
    await change(database.env, 'DROP TABLE jobs.job_common CASCADE');

    const server = await ServerProcess.start(database.env);
    const { code, stdout, stderr } = await server.ending();

    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The schema jobs .* damaged .*: restore a backup.*\n$/)]);
    expect(stdout).not.toContain('"level":50');
  });

  it('ends in good order at a SIGTERM to the npm that has started it', async () => {
    const server = await ServerProcess.startByNpm(database.env);
    await server.says(/"serving"/);

    server.signal('SIGTERM');
    const { stdout } = await server.ending();

    expect(stdout).toContain('SIGTERM: finishing open work');
  });

  it('logs a failure that nothing handles, and ends only where it came from the top', async () => {
    const server = await ServerProcess.start(database.env, 'test/support/servers/last-words.ts');
    await server.says(/"serving"/);

    server.signal('SIGUSR2');
    await server.says(/nobody has handled this failure/);
    server.signal('SIGHUP');
    const { code, stdout, stderr } = await server.ending();

    const lines = stdout.split('\n').filter((line) => line.includes('"err"'));
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'nobody waits for this' }) }),
      expect.objectContaining({ level: 60, err: expect.objectContaining({ message: 'database error 22P02' }) }),
    ]);
    expect(stdout + stderr).not.toContain('a secret prompt');
  });
});

describe('the line about a start that fails', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'failed-start-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says that the address is not of this machine', async () => {
    const line = await startPlatform({ HOST: '203.0.113.7', ALLOW_PLAINTEXT: 'true' }).catch(describeFailure);

    expect(line).toMatch(/^The server cannot listen at 203\.0\.113\.7, port 0 \(EADDRNOTAVAIL\)\. Set HOST.*$/);
  });

  it('says that the database is damaged, which is left as it was', async () => {
    await mkdir(join(folder, 'postgres'), { mode: 0o700 });
    await writeFile(join(folder, 'postgres', 'precious'), 'rows');

    const line = await start({ DATA_DIR: folder });

    const reason = /^The embedded database in .* does not start \(PG_VERSION is missing or damaged\)\. Nothing was.*$/;
    expect(line).toMatch(reason);
    expect(await readFile(join(folder, 'postgres', 'precious'), 'utf8')).toBe('rows');
  });

  it('says that a database server does not answer, without its password', async () => {
    const url = 'postgres://me:a-secret-password@127.0.0.1:9/platform';

    const line = await start({ DATABASE_URL: url, SECRET_KEY: '0'.repeat(64) });

    expect(line).toBe(
      'The database server 127.0.0.1:9 does not answer: start it, or correct DATABASE_URL. (ECONNREFUSED)',
    );
  });

  it('says that the disk of the database is full, without the statement', () => {
    const error = Object.assign(new Error('could not extend file'), { code: '53100' });

    const line = describeFailure(new QueryFailedError('CREATE TABLE one ();\nCREATE TABLE other ()', [], error));

    expect(line).toBe('The disk of the database is full: make room and start again.');
  });

  it.each([
    [
      'of a newer version',
      'UPDATE jobs.version SET version = version + 1',
      /^The tables of jobs .* newer version: start/,
    ],
    [
      'of another program',
      'DROP SCHEMA jobs CASCADE; CREATE SCHEMA jobs; CREATE TABLE jobs.version (at text)',
      /^The schema jobs of the database has other tables than those of jobs, .*\(42P01\): .*$/,
    ],
  ])('says that the tables of jobs are %s', async (_whose, sql, expected) => {
    const database = await createTestDatabaseFolder();
    await change(database.env, sql);

    const line = await start(database.env);
    await database.drop();

    expect(line).toMatch(expected);
    expect(line).not.toContain('\n');
  });

  it('says what failed first, and not what failed when it was given up', () => {
    const first = new OperationalError('The first failure.');

    const line = describeFailure(new SuppressedError(new Error('the second'), first));

    expect(line).toBe('The first failure.');
  });

  it('says that there is no certificate', async () => {
    const files = { TLS_CERT_FILE: join(folder, 'none.crt'), TLS_KEY_FILE: join(folder, 'none.key') };

    const line = await startPlatform(files).catch(describeFailure);

    expect(line).toMatch(/TLS_CERT_FILE: .* cannot be read \(ENOENT\)$/);
    expect(line).not.toMatch(/\n\s+at /);
  });

  function start(env: Readonly<Record<string, string>>): Promise<unknown> {
    return createApp(readConfig(env), silentLog).catch(describeFailure);
  }
});

/** Changes a database by SQL while no server has it. */
async function change(env: Readonly<Record<string, string>>, sql: string): Promise<void> {
  const database = await openDatabase(readConfig(env), schema, silentLog);
  await database.dataSource.query(sql);
  await database.close();
}
