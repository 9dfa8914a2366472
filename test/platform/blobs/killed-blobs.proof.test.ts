import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KilledBlobs } from '../../proof/killed-blobs/killed-blobs.js';
import { PLACES, readBytes, sha256, sweep } from '../../support/probes/stored-blobs.js';
import type { StoredBlobs } from '../../support/probes/stored-blobs.js';

const MEBIBYTE = 1024 * 1024;

describe.each(PLACES)('blobs in %s, whose process is killed', (place) => {
  let killed: KilledBlobs;

  beforeEach(async () => {
    killed = await KilledBlobs.prepare(place);
  });
  afterEach(() => killed.close());

  it.each([
    'in the middle of a write',
    'between write and keep',
    'before the commit of a keep',
    'between release and deletion',
  ])('%s are gone after the sweep', async (when) => {
    await killed.run(when);
    const stored = await killed.reopen();
    const before = await stored.rows();

    await sweep(await stored.start());

    expect(before).toHaveLength(1);
    expect([await stored.rows(), await stored.names(), await stored.usage()]).toEqual([[], [], {}]);
    expect(killed.server.uploads.size).toBe(0);
  });

  it('at any time are exactly those that rows use after the sweep', async () => {
    await killed.run('at any time', 300 + Math.random() * 1_500);
    const stored = await killed.reopen();

    await sweep(await stored.start());

    await expectExactly(stored);
  });

  it('have 256 MiB written and read with less than 64 MiB of memory', async () => {
    killed.server.forgetsBytes = true;

    const told = JSON.parse(await killed.run('never, and tells its memory'));

    expect(told.sizeBytes).toBe(256 * MEBIBYTE);
    expect(told.read).toBe(place === 'the data folder' ? told.sizeBytes : 0);
    expect(told.writeBytes / MEBIBYTE).toBeLessThan(64);
    expect(told.readBytes / MEBIBYTE).toBeLessThan(64);
  });

  /** What is used has a row, its bytes, and what is counted of it; and nothing else is there. */
  async function expectExactly(stored: StoredBlobs): Promise<void> {
    const used = await stored.dataSource.query<{ key: string }[]>('SELECT key FROM uses ORDER BY key');
    const keys = used.map(({ key }) => key);
    const rows = await stored.rows();
    const blobs = await stored.start();
    const bytes = rows.reduce((sum, { size }) => sum + size, 0);

    expect(rows.map(({ key, state }) => [key, state])).toEqual(keys.map((key) => [key, 'kept']));
    expect((await stored.names()).toSorted()).toEqual(keys);
    expect(killed.server.uploads.size).toBe(0);
    expect(await stored.usage()).toEqual(bytes === 0 ? {} : { ten_1: bytes, usr_1: bytes });
    for (const key of keys) {
      const read = (await readBytes(blobs, key)) ?? Buffer.of();
      expect(sha256(read)).toBe((await blobs.stat(key))?.sha256);
    }
  }
});
