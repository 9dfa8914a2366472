import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { embeddedSecretKey, openDataFolder } from '../../../src/platform/database/data-folder.js';
import { lockFolder } from '../../../src/platform/database/embedded-database-lock.js';
import { silentLog } from '../../support/probes/silent-log.js';

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

describe('the rights of a data folder', () => {
  test('are taken from all but its owner', async () => {
    await writeFile(join(folder, 'secret.key'), Buffer.alloc(32), { mode: 0o644 });
    await chmod(folder, 0o755);

    await openDataFolder(folder);
    await embeddedSecretKey(folder);

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('are left where others use the folder too', async () => {
    await writeFile(join(folder, 'of somebody else'), '');
    await chmod(folder, 0o755);

    await expect(openDataFolder(folder)).rejects.toThrow(/open to other users, and holds what is not the server's/);

    expect((await stat(folder)).mode & 0o777).toBe(0o755);
  });

  test('are refused where there is a file in its place, or above it', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');

    await expect(openDataFolder(file)).rejects.toThrow(`The folder ${file} cannot be used (EEXIST).`);
    await expect(openDataFolder(join(file, 'below'))).rejects.toThrow('(ENOTDIR). Something in its path');
  });
});

describe('a full disk', () => {
  const mounted = mountSmallDisk();
  const onSmallDisk = mounted ? test : test.skip;
  if (!mounted) console.warn('The tests of a full and a read-only disk are left out: this user cannot mount one.');
  afterAll(() => {
    if (mounted === undefined) return;
    execFileSync('umount', [mounted]);
    rmdirSync(mounted);
  });

  onSmallDisk('is told, keeps no half of a key, and stops nothing once there is room', async () => {
    const disk = String(mounted);
    const filling = join(disk, '.filling');
    writeFileSync(filling, '');
    try {
      for (;;) appendFileSync(filling, Buffer.alloc(4_096));
    } catch {
      // It is full now.
    }

    await expect(embeddedSecretKey(disk)).rejects.toThrow('(ENOSPC). Its disk is full: make room and start again.');
    const names = await readdir(disk);
    await rm(filling);
    const key = await embeddedSecretKey(disk);

    expect(names).toEqual(['.filling']);
    expect(key).toHaveLength(32);
  });

  onSmallDisk('is told where no database fits in, and leaves nothing of it', async () => {
    const start = openDatabase(readConfig({ DATA_DIR: String(mounted) }), schema, silentLog);

    await expect(start).rejects.toThrow(/^The embedded database in .* does not start .* Its disk is full/);

    expect(await readdir(String(mounted))).not.toContain('postgres');
    expect(await readdir(String(mounted))).not.toContain('postgres.new');
  });

  onSmallDisk('or a read-only one is told', async () => {
    execFileSync('mount', ['-o', 'remount,ro', String(mounted)]);

    const start = openDatabase(readConfig({ DATA_DIR: String(mounted) }), schema, silentLog);

    await expect(start).rejects.toThrow(/cannot be used \(EROFS\)\. It is read-only/);
  });
});

/** @returns its folder; undefined where this user may not mount */
function mountSmallDisk(): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'none', disk], { stdio: 'ignore' });
    return disk;
  } catch {
    rmdirSync(disk);
    return undefined;
  }
}
