import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { embeddedSecretKey, isDatabaseUnavailable, openDatabase } from '../../src/platform/database.js';
import { lockFolder } from '../../src/platform/embedded-database-lock.js';

const log = pino({ level: 'silent' });
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (dataDir = folder, logger = log) => openDatabase(readConfig({ DATA_DIR: dataDir }), logger);
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the data folder', () => {
  test('is private, keeps its rows over a restart, and has no lock when nobody uses it', async () => {
    const dataDir = join(folder, 'new', 'data');
    const first = await open(dataDir);
    await first.dataSource.query('CREATE TABLE kept AS SELECT 7 AS number');
    await first.close();

    const second = await open(dataDir);
    const rows: unknown = await second.dataSource.query('SELECT number FROM kept');
    await second.close();

    expect(rows).toEqual([{ number: 7 }]);
    expect(await modeOf(dataDir)).toBe('700');
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });

  test('is refused to a second process while the first lives, and free once that was killed', async () => {
    const holder = spawn(process.execPath, ['--import', 'tsx', 'test/support/database-holder.ts'], {
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
  });

  test('is refused to the same process twice', async () => {
    const lock = await lockFolder(folder);

    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);

    await lock.release();
    await (await lockFolder(folder)).release();
  });

  test('is free where its lock names a process id that another program has now', async () => {
    await writeFile(join(folder, `lock.${process.ppid}.1`), '');

    await (await lockFolder(folder)).release();

    expect(await readdir(folder)).toEqual([]);
  });
});

test('a database thread that dies is logged, and queries fail at once', async () => {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const started = once(process, 'worker') as Promise<[Worker]>;
  const database = await open(folder, pino({ level: 'fatal' }, sink));
  const [worker] = await started;

  await worker.terminate();
  const error: unknown = await database.dataSource.query('SELECT 1').catch((caught: unknown) => caught);
  await database.close();

  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(lines.join()).toContain('the embedded database has stopped');
});

describe('the secret key', () => {
  test('is made once and readable by its owner alone', async () => {
    const first = await embeddedSecretKey(folder);
    const second = await embeddedSecretKey(folder);

    expect(first).toHaveLength(32);
    expect(second).toEqual(first);
    expect(await modeOf(join(folder, 'secret.key'))).toBe('600');
  });

  test('is refused where the file is damaged', async () => {
    await writeFile(join(folder, 'secret.key'), 'short');

    await expect(embeddedSecretKey(folder)).rejects.toThrow('is damaged');
    expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe('short');
  });
});
