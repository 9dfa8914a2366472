import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { createTestDatabase } from '../../support/database.js';
import { S3Server } from '../../support/s3-server.js';
import { silentLog } from '../../support/silent-log.js';
import { readBytes, sha256, StoredBlobs, sweep } from '../../support/stored-blobs.js';

const PROCESS = join(import.meta.dirname, '../../support/blob-process.ts');
const MEBIBYTE = 1024 * 1024;

jest.setTimeout(60_000);

describe.each(['the data folder', 'an S3-compatible store'])('blobs in %s, whose process is killed', (place) => {
  let server: S3Server;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let env: Record<string, string>;
  let stored: StoredBlobs | undefined;

  beforeEach(async () => {
    stored = undefined;
    server = await S3Server.start();
    database = await createTestDatabase();
    env = { ...database.env };
    if (place !== 'the data folder') env.S3_URL = server.url();
  });
  afterEach(async () => {
    await (stored?.close() ?? database.drop());
    await server.close();
  });

  it.each([
    'in the middle of a write',
    'between write and keep',
    'before the commit of a keep',
    'between release and deletion',
  ])('%s are gone after the sweep', async (when) => {
    await killed(when);

    const { rows, blobs } = await reopen();
    await sweep(blobs);

    expect(rows).toHaveLength(1);
    await expectExactly();
    expect(await stored?.rows()).toEqual([]);
  });

  it('at any time are exactly those that rows use after the sweep', async () => {
    await killed('at any time', 300 + Math.random() * 1_500);
    const { blobs } = await reopen();

    await sweep(blobs);

    await expectExactly();
  });

  it('have 512 MiB written and read with less than 64 MiB of memory', async () => {
    server.forgetsBytes = true;

    const {
      sizeBytes,
      read,
      writeBytes,
      readBytes: readMemory,
    } = JSON.parse(await killed('never, and tells its memory'));

    expect(sizeBytes).toBe(512 * MEBIBYTE);
    expect(read).toBe(place === 'the data folder' ? sizeBytes : 0);
    expect(writeBytes / MEBIBYTE).toBeLessThan(64);
    expect(readMemory / MEBIBYTE).toBeLessThan(64);
  }, 120_000);

  /** Runs a process that ends itself, or is killed when it is ready. @returns what it says */
  async function killed(command: string, afterMs = 0): Promise<string> {
    const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', PROCESS, command], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', async (text: Buffer) => {
      said += text.toString();
      if (!said.includes('ready')) return;
      await delay(afterMs);
      child.kill('SIGKILL');
    });
    const [code] = await once(child, 'close');
    if (code) throw new Error(`It ended with ${code}.`);
    return said;
  }

  /** Opens what it has left; its lease is over. */
  async function reopen() {
    const opened = await openDatabase(readConfig(env), schema, silentLog);
    const close = () => opened.close().then(database.drop);
    stored = StoredBlobs.reopen({ database: opened, env: database.env, close }, env.DATA_DIR ?? '', env);
    await stored.dataSource.query('DELETE FROM processes');
    return { rows: await stored.rows(), blobs: await stored.start() };
  }

  /** What is used has a row, its bytes, and what is counted of it; and nothing else is there. */
  async function expectExactly(): Promise<void> {
    if (!stored) throw new Error('Nothing is open.');
    const used = await stored.dataSource.query<{ key: string }[]>('SELECT key FROM uses ORDER BY key');
    const keys = used.map(({ key }) => key);
    const rows = await stored.rows();
    const blobs = await stored.start();
    const bytes = rows.reduce((sum, { size }) => sum + size, 0);
    const names = place === 'the data folder' ? await stored.files() : [...server.objects.keys()];

    expect(rows.map(({ key, state }) => [key, state])).toEqual(keys.map((key) => [key, 'kept']));
    expect(names.map((name) => name.replace(/^.*\//, '')).toSorted()).toEqual(keys);
    expect(server.uploads.size).toBe(0);
    expect(await stored.usage()).toEqual(bytes === 0 ? {} : { ten_1: bytes, usr_1: bytes });
    for (const key of keys)
      expect(sha256((await readBytes(blobs, key)) ?? Buffer.of())).toBe((await blobs.stat(key))?.sha256);
  }
});
