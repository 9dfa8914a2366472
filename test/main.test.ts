import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { createTestDatabaseFolder } from './support/servers/database.js';
import type { TestDatabase } from './support/servers/database.js';
import { ServerProcess } from './support/servers/server-process.js';
import type { Ending } from './support/servers/server-process.js';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabaseFolder();
  folder = await mkdtemp(join(tmpdir(), 'server-process-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

describe('a start that fails', () => {
  it('says that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const line = await lineOf({ ...database.env, PORT: String(port) });
    other.close();

    expect(line).toBe(`Another program serves at 127.0.0.1, port ${port} (EADDRINUSE). Stop it, or set another PORT.`);
  });

  it('says that the address is not of this machine', async () => {
    const line = await lineOf({ ...database.env, HOST: '203.0.113.7', ALLOW_PLAINTEXT: 'true' });

    expect(line).toMatch(/^The server cannot listen at 203\.0\.113\.7, port 0 \(EADDRNOTAVAIL\)\. Set HOST/);
  });

  it('says that the database is damaged, and leaves it as it was', async () => {
    await mkdir(join(folder, 'postgres'), { mode: 0o700 });
    await writeFile(join(folder, 'postgres', 'precious'), 'rows');

    const line = await lineOf({ DATA_DIR: folder });

    expect(line).toMatch(
      /^The embedded database in .* does not start \(PG_VERSION is missing or damaged\)\. Nothing was/,
    );
    expect(await readFile(join(folder, 'postgres', 'precious'), 'utf8')).toBe('rows');
  });

  it('says that a database server does not answer, without its password', async () => {
    const url = 'postgres://me:a-secret-password@127.0.0.1:9/platform';

    const line = await lineOf({ DATABASE_URL: url, SECRET_KEY: '0'.repeat(64) });

    expect(line).toBe(
      'The database server 127.0.0.1:9 does not answer: start it, or correct DATABASE_URL. (ECONNREFUSED)',
    );
  });

  it('says that there is no certificate', async () => {
    const files = { TLS_CERT_FILE: join(folder, 'none.crt'), TLS_KEY_FILE: join(folder, 'none.key') };

    const { code, stderr } = await ending({ ...database.env, ...files });

    expect([code, stderr]).toEqual([1, expect.stringMatching(/TLS_CERT_FILE: .* cannot be read \(ENOENT\)\n$/)]);
  });

  async function lineOf(env: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await ending(env);
    expect(code).toBe(1);
    expect(stdout).not.toContain('serving');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr.trim();
  }

  async function ending(env: Readonly<Record<string, string>>): Promise<Ending> {
    return (await ServerProcess.start(env)).ending();
  }
});

test('a server that npm has started ends in good order when npm is told to', async () => {
  const server = await ServerProcess.startByNpm(database.env);
  await server.says(/"serving"/);

  server.signal('SIGTERM');
  const { stdout } = await server.ending();

  expect(stdout).toContain('SIGTERM: finishing open work');
});

test('a failure that nobody handles is a line in the log, and the end only where it came from the top', async () => {
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
