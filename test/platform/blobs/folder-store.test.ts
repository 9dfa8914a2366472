import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Blobs } from '../../../src/platform/blobs/blobs.js';
import { FolderStore } from '../../../src/platform/blobs/folder-store.js';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { eventually } from '../../support/probes/eventually.js';
import { onSmallDisk, SmallDisk } from '../../support/servers/small-disk.js';
import { OWNER, readBytes, request, silentAfter, StoredBlobs, writeBytes } from '../../support/probes/stored-blobs.js';

describe('the data folder as a store of blobs', () => {
  let stored: StoredBlobs;
  let blobs: Blobs;

  beforeEach(async () => {
    stored = await StoredBlobs.open('the data folder');
    blobs = await stored.start();
  });
  afterEach(() => stored.close());

  it('has a file for each in two levels of folders, which its owner alone can read', async () => {
    const { key } = await writeBytes(blobs, Buffer.from('secret'));
    const [path = ''] = await stored.files();
    const folder = join(stored.dataDir, 'blobs');
    const rights = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);

    expect(path).toMatch(new RegExp(`^[0-9a-f-]{36}/${key.at(-2)}/${key.at(-1)}/${key}$`));
    expect([await rights(path), await rights(''), await rights(join(path, '..'))]).toEqual(['600', '700', '700']);
  });

  it('gives a file its name when it is whole', async () => {
    const cancelled = new AbortController();

    const write = blobs.write(OWNER, request({ signal: cancelled.signal }), silentAfter(100));
    const half = await eventually('bytes are there', 5, async () => (await stored.files())[0]);
    cancelled.abort(new Error('enough'));

    expect(half).toMatch(/blob_\w+\.part$/);
    await expect(write).rejects.toThrow('enough');
    await stored.untilEmpty();
  });

  it('is known again after a restart, and not taken for that of another host', async () => {
    const otherFolder = await mkdtemp(join(tmpdir(), 'blobs-'));
    const { key } = await writeBytes(blobs, Buffer.from('here'));
    await stored.keep(blobs, key);

    const again = await stored.start('again');
    const elsewhere = await stored.start('elsewhere', { DATA_DIR: otherFolder });
    const lies = [
      await again.isElsewhere(key),
      await elsewhere.isElsewhere(key),
      await again.isElsewhere('blob_unknown'),
    ];
    await writeBytes(elsewhere, Buffer.from('there'));

    expect(lies).toEqual([false, true, false]);
    expect(await elsewhere.isElsewhere(key)).toBe(true);
    expect(String(await readBytes(again, key))).toBe('here');
    await expect(readBytes(elsewhere, key)).rejects.toMatchObject({ status: 503 });
    await rm(otherFolder, { recursive: true });
  });

  it('leaves bytes to the host that has them when they are released elsewhere', async () => {
    const otherFolder = await mkdtemp(join(tmpdir(), 'blobs-'));
    const elsewhere = await stored.start('elsewhere', { DATA_DIR: otherFolder });
    await elsewhere.discard([(await writeBytes(elsewhere, Buffer.from('there'))).key]);
    const { key } = await writeBytes(blobs, Buffer.from('here'));
    await stored.keep(blobs, key);

    await stored.release(elsewhere, key);
    for (const task of elsewhere.tasks) await task.run();
    const left = [await stored.files(), await stored.rows()];
    for (const task of blobs.tasks) await task.run();

    expect(left).toEqual([[expect.stringContaining(key)], [expect.objectContaining({ key, state: 'released' })]]);
    await stored.untilEmpty();
    await rm(otherFolder, { recursive: true });
  });

  it('lies beside no old drafts of the marker of its folder', async () => {
    const { key } = await writeBytes(blobs, Buffer.from('here'));
    await stored.keep(blobs, key);
    const [path = ''] = await stored.files();
    const folder = join(stored.dataDir, 'blobs', dirname(dirname(dirname(path))));
    const [old, young] = ['folder.id.old', 'folder.id.young'].map((name) => join(folder, name)) as [string, string];
    for (const path of [old, young]) await writeFile(path, 'draft');
    await utimes(old, 0, 0);

    const disk = new DiskSpace(0, pino({ level: 'silent' }));
    const listed: string[] = [];
    for await (const batch of new FolderStore(stored.dataDir, async () => basename(folder), disk).list()) {
      listed.push(...batch.map((one) => one.key));
    }

    expect(listed).toEqual([key]);
    expect((await readdir(folder)).filter((name) => name.startsWith('folder.id')).toSorted()).toEqual([
      'folder.id',
      'folder.id.young',
    ]);
  });

  it('of which a file is missing or cut off says so in the log, and the blob is gone', async () => {
    const [missing, cut] = [await writeBytes(blobs, randomBytes(99)), await writeBytes(blobs, randomBytes(99))];
    await stored.keep(blobs, missing.key, cut.key);
    const pathOf = async (key: string) =>
      join(stored.dataDir, 'blobs', (await stored.files()).find((path) => path.endsWith(key)) ?? '');
    await truncate(await pathOf(cut.key), 98);
    await rm(await pathOf(missing.key));

    const read = [await readBytes(blobs, missing.key), await readBytes(blobs, cut.key)];
    const logged = stored.logLines.filter((line) => line.includes('missing or damaged'));

    expect(read).toEqual([undefined, undefined]);
    expect(logged.map((line) => JSON.parse(line).blob)).toEqual([missing.key, cut.key]);
  });

  it.each(['../../etc/passwd', 'blob_../../../x', ''])('has nothing under a key that is none, as %j', async (key) => {
    expect([await readBytes(blobs, key), await blobs.stat(key), await blobs.isElsewhere(key)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });
});

onSmallDisk.describe('a disk that does not take what is written', () => {
  let disk: SmallDisk;
  let stored: StoredBlobs;
  let blobs: Blobs;

  beforeEach(async () => {
    disk = new SmallDisk(2);
    stored = await StoredBlobs.open('the data folder', { DATA_DIR: disk.path });
    blobs = await stored.start();
  });
  afterEach(async () => {
    await stored.close();
    disk.remove();
  });

  it('and is full, or read-only, is a 503 that leaves nothing, and works again when it is not', async () => {
    const tooLarge = writeBytes(blobs, randomBytes(3 * 1024 * 1024));
    await expect(tooLarge).rejects.toMatchObject({ status: 503, message: 'Files cannot be stored at the moment.' });
    await stored.untilEmpty();
    const fits = await writeBytes(blobs, randomBytes(1024 * 1024));
    await blobs.discard([fits.key]);
    await stored.untilEmpty();

    disk.setReadOnly(true);
    const health = await blobs.check();
    await expect(writeBytes(blobs, randomBytes(10))).rejects.toMatchObject({ status: 503 });
    disk.setReadOnly(false);

    expect(health).toBe('down');
    expect(
      stored.logLines.filter((line) => line.includes('"level":50')).map((line) => JSON.parse(line).reason),
    ).toEqual(['ENOSPC', 'EROFS']);
    await stored.keep(blobs, (await writeBytes(blobs, randomBytes(10))).key);
    expect(await stored.usage()).toEqual({ ten_1: 10, usr_1: 10 });
  });
});
