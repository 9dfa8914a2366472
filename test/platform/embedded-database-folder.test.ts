import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { embeddedSecretKey } from '../../src/platform/embedded-database.js';
import { lockFolder } from '../../src/platform/embedded-database-lock.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('the lock of a data folder', () => {
  test('is refused to the same process twice, and free after its release', async () => {
    const lock = await lockFolder(folder);

    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
    await lock.release();
    const second = await lockFolder(folder);
    await second.release();

    expect(await readdir(folder)).toEqual([]);
  });

  test('is free where it names a process id that another program has now', async () => {
    await writeFile(join(folder, `lock.${process.ppid}.1`), '');

    const lock = await lockFolder(folder);
    await lock.release();

    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the secret key of a data folder', () => {
  test('is made once and readable by its owner alone', async () => {
    const first = await embeddedSecretKey(folder);
    const second = await embeddedSecretKey(folder);

    expect(first).toHaveLength(32);
    expect(second).toEqual(first);
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('is refused where the file is damaged, and never overwritten', async () => {
    await writeFile(join(folder, 'secret.key'), 'short');

    await expect(embeddedSecretKey(folder)).rejects.toThrow('is damaged');

    expect((await stat(join(folder, 'secret.key'))).size).toBe(5);
  });
});
