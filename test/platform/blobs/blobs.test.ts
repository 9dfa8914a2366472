import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import type { EntityManager } from 'typeorm';
import { PayloadTooLarge, StorageExceeded } from '../../../src/errors.js';
import type { Blobs } from '../../../src/platform/blobs/blobs.js';
import { eventually } from '../../support/probes/eventually.js';
import {
  OWNER,
  PLACES,
  pieces,
  readBytes,
  request,
  sha256,
  silentAfter,
  StoredBlobs,
  sweep,
  writeBytes,
} from '../../support/probes/stored-blobs.js';

const MIB = 1024 * 1024;

describe.each(PLACES)('blobs in %s', (place) => {
  let stored: StoredBlobs;
  let blobs: Blobs;

  beforeAll(async () => {
    stored = await StoredBlobs.open(place);
    blobs = await stored.start();
  });
  afterAll(() => stored.close());
  afterEach(() => expectNothingLeft());

  it.each([0, 1, 5 * MIB, 11 * MIB + 1])('are read as they were written, with %i bytes', async (size) => {
    const bytes = randomBytes(size);

    const written = await blobs.write(OWNER, request(), pieces(bytes.subarray(0, 7), bytes.subarray(7)));
    const early = await readBytes(blobs, written.key);
    await stored.keep(blobs, written.key);

    expect(written).toEqual({ key: written.key, sizeBytes: size, sha256: sha256(bytes) });
    expect(early?.equals(bytes)).toBe(true);
    expect((await readBytes(blobs, written.key))?.equals(bytes)).toBe(true);
    expect(await blobs.stat(written.key)).toEqual({ ...written, ...OWNER, kind: 'test' });
    expect(await blobs.isElsewhere(written.key)).toBe(false);
    expect(await stored.usage()).toEqual(size === 0 ? {} : { ten_1: size, usr_1: size });
  });

  it('are read in part, from the start up to the end and without it', async () => {
    const { key } = await writeBytes(blobs, Buffer.from('0123456789'));
    await stored.keep(blobs, key);
    const read = async (start?: number, end?: number) => String(await readBytes(blobs, key, { start, end }));

    const parts = [await read(2, 5), await read(7), await read(undefined, 3), await read(9, 50), await read(4, 4)];
    const behind = [await read(10), await read(70, 90)];

    expect(parts).toEqual(['234', '789', '012', '9', '']);
    expect(behind).toEqual(['', '']);
    await expect(readBytes(blobs, key, { start: -1 })).rejects.toThrow(RangeError);
    await expect(readBytes(blobs, key, { start: 5, end: 4 })).rejects.toThrow(RangeError);
  });

  it('that are larger than they may be are refused, and leave nothing', async () => {
    const most = await writeBytes(blobs, randomBytes(6 * MIB), { maxBytes: 6 * MIB, expectedBytes: 7 * MIB });
    await blobs.discard([most.key]);

    const write = blobs.write(OWNER, request({ maxBytes: 6 * MIB }), pieces(randomBytes(6 * MIB), randomBytes(1)));

    await expect(write).rejects.toThrow(PayloadTooLarge);
  });

  it.each([
    ['the tenant', { tenantBytes: 100, userBytes: null }],
    ['the user', { tenantBytes: null, userBytes: 100 }],
  ])('that do not fit into the storage of %s are refused, and leave nothing', async (_of, limits) => {
    const fits = await writeBytes(blobs, randomBytes(60), { limits });
    await stored.keep(blobs, fits.key);

    const expected = writeBytes(blobs, randomBytes(10), { limits, expectedBytes: 41 });
    await expect(expected).rejects.toMatchObject({ status: 409, details: { reason: 'storage_exceeded' } });
    const unexpected = blobs.write(OWNER, request({ limits }), pieces(randomBytes(40), randomBytes(1)));
    await expect(unexpected).rejects.toThrow(StorageExceeded);
    const last = await writeBytes(blobs, randomBytes(40), { limits });
    await stored.keep(blobs, last.key);

    expect(await stored.usage()).toEqual({ ten_1: 100, usr_1: 100 });
    await eventually('what was refused is gone', 10, async () => (await stored.rows()).length === 2);
  });

  it('of 50 writers at once never pass a limit, and fill it', async () => {
    const limits = { tenantBytes: 1_000, userBytes: 700 };
    const users = Array.from({ length: 50 }, (_, index) => ({ ...OWNER, userId: `usr_${index % 2}` }));

    const writes = users.map((owner, index) =>
      blobs.write(owner, request({ limits, expectedBytes: index % 3 ? 100 : undefined }), pieces(randomBytes(100))),
    );
    const written = (await Promise.allSettled(writes)).flatMap((write) =>
      write.status === 'fulfilled' ? [write.value.key] : [],
    );
    const usage = await stored.usage();
    await stored.keep(blobs, ...written);

    expect(written.length).toBeGreaterThanOrEqual(7);
    expect(written.length).toBeLessThanOrEqual(10);
    expect(usage.ten_1).toBe(written.length * 100);
    expect((usage.usr_0 ?? 0) + (usage.usr_1 ?? 0)).toBe(usage.ten_1);
    expect(Math.max(usage.usr_0 ?? 0, usage.usr_1 ?? 0)).toBeLessThanOrEqual(700);
  });

  it('are counted exactly by their rows, whatever is written, kept, released, erased and swept at once', async () => {
    const other = await stored.start('beside');
    const owners = [0, 1, 2, 3].map((index) => ({ tenantId: `ten_${index % 2}`, userId: `usr_${index}` }));
    const kept: string[] = [];
    const store = async (index: number) => {
      const by = index % 2 ? blobs : other;
      const owner = owners[index % 4] ?? OWNER;
      const { key } = await by.write(owner, request(), pieces(randomBytes(3e5), randomBytes(1e3 * index)));
      if (index % 5 === 0) return by.discard([key]);
      await stored.keep(by, key);
      kept.push(key);
    };
    const release = () => stored.release(blobs, ...kept.splice(0, 2).toReversed());
    const erase = () => blobs.eraseTenant({ id: 'ten_1' }, erasure());

    const works = Array.from({ length: 60 }, (_, index) => async () => {
      await store(index);
      if (index % 8 === 0) await release();
      if (index % 20 === 10) await erase();
      if (index % 15 === 7) await sweep(blobs);
    });
    // All at once would wait for connections longer than the pool lets them where machines are slow.
    const limit = pLimit(20);
    const ends = await Promise.allSettled(works.map((work) => limit(work)));
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason.message)] : []));
    const sums = await stored.sums();

    // Whoever is erased meanwhile is told so, in one way or the other.
    expect(failures.filter((message) => !/could not be stored|is gone, or of another/.test(message))).toEqual([]);
    expect(await stored.usage()).toEqual(sums);
    expect(Object.keys(sums).length).toBeGreaterThan(0);
  });

  it('that cannot be given up, since the database is away, are deleted by the next sweep', async () => {
    const source = async function* () {
      yield randomBytes(100);
      await stored.dataSource.query('ALTER TABLE storage_usage RENAME TO away');
      throw new Error('The connection broke.');
    };

    await expect(blobs.write(OWNER, request(), source())).rejects.toThrow('The connection broke.');
    await stored.dataSource.query('ALTER TABLE away RENAME TO storage_usage');
    const left = await stored.rows();
    await sweep(blobs);

    expect(left).toHaveLength(1);
    expect(await stored.rows()).toEqual([]);
  });

  it.each([0, 12 * MIB])('end when they are cancelled after %i bytes, and leave nothing', async (size) => {
    const cancelled = new AbortController();
    const left = new Error('The client left.');

    const source = silentAfter(size, () => cancelled.abort(left));
    const write = blobs.write(OWNER, request({ signal: cancelled.signal }), source);

    await expect(write).rejects.toBe(left);
  });

  it('whose source breaks leave nothing, and fail as it does', async () => {
    const broken = new Error('The connection broke.');
    const source = async function* () {
      yield randomBytes(6 * MIB);
      throw broken;
    };

    await expect(blobs.write(OWNER, request({ expectedBytes: 9 * MIB }), source())).rejects.toBe(broken);
  });

  it('that were discarded or released are gone, with what they took of the storage', async () => {
    const [discarded, released] = [await writeBytes(blobs, randomBytes(9)), await writeBytes(blobs, randomBytes(9))];
    await stored.keep(blobs, released.key);

    await blobs.discard([discarded.key, released.key]);
    const afterDiscard = await stored.usage();
    await stored.release(blobs, released.key, released.key, 'blob_unknown');
    const known = [await blobs.stat(released.key), await readBytes(blobs, discarded.key)];
    await stored.release(blobs, released.key);

    expect(afterDiscard).toEqual({ ten_1: 9, usr_1: 9 });
    expect(await stored.usage()).toEqual({});
    expect(known).toEqual([undefined, undefined]);
    await stored.untilEmpty();
  });

  it('are kept and released only by what is committed', async () => {
    const { key } = await writeBytes(blobs, Buffer.from('here'));
    const rollBack = new Error('no');

    const keeping = stored.dataSource.transaction((tx) => blobs.keep(tx, [key]).then(() => Promise.reject(rollBack)));
    await expect(keeping).rejects.toBe(rollBack);
    await stored.keep(blobs, key);
    const releasing = stored.dataSource.transaction((tx) =>
      blobs.release(tx, [key]).then(() => Promise.reject(rollBack)),
    );
    await expect(releasing).rejects.toBe(rollBack);
    const nested = stored.dataSource.transaction(async (tx) => {
      await tx.transaction((inner) => blobs.release(inner, [key]).then(() => Promise.reject(rollBack))).catch(() => 0);
    });
    await nested;

    expect(String(await readBytes(blobs, key))).toBe('here');
    expect(await stored.usage()).toEqual({ ten_1: 4, usr_1: 4 });
  });

  it('cannot be kept twice, by another process, before they are whole, or outside of a transaction', async () => {
    const other = await stored.start('other');
    const cancelled = new AbortController();
    const { key } = await writeBytes(blobs, Buffer.from('once'));
    const half = blobs.write(OWNER, request({ signal: cancelled.signal }), silentAfter(10));
    const halfKey = (await stored.rows()).map((row) => row.key).find((found) => found !== key) ?? '';

    await expect(stored.keep(other, key)).rejects.toThrow('gone, or of another process');
    await expect(stored.keep(blobs, key, halfKey)).rejects.toThrow('gone, or of another process');
    await expect(blobs.keep(stored.dataSource.manager, [key])).rejects.toThrow('within a transaction');
    await stored.keep(blobs, key);
    await expect(stored.keep(blobs, key)).rejects.toThrow('gone, or of another process');
    cancelled.abort(new Error('enough'));

    await expect(half).rejects.toThrow('enough');
  });

  it('of an erased user are gone with the row that says whose they were, others stay', async () => {
    // More than are erased in one transaction.
    const keys = [];
    for (let count = 0; count < 51; count += 1) keys.push((await writeBytes(blobs, Buffer.from('mine'))).key);
    await stored.keep(blobs, ...keys);
    const other = await blobs.write({ ...OWNER, userId: 'usr_2' }, request(), pieces(Buffer.from('other')));
    await stored.keep(blobs, other.key);
    const halfway = blobs.write(OWNER, request(), slowly());
    await eventually('it is being written', 10, async () =>
      (await stored.rows()).some(({ state }) => state === 'writing'),
    );

    await blobs.eraseUser({ id: 'usr_1' }, erasure());

    expect((await stored.rows()).filter((row) => row.user_id === 'usr_1')).toEqual([]);
    await expect(halfway).rejects.toMatchObject({ status: 503 });
    expect(await stored.usage()).toEqual({ ten_1: 5, usr_2: 5 });
    await blobs.eraseTenant({ id: 'ten_1' }, erasure());
    await stored.untilEmpty();
  });

  function erasure() {
    const { dataSource } = stored;
    const transaction = <T>(work: (tx: EntityManager) => Promise<T>) => dataSource.transaction(work);
    return { signal: new AbortController().signal, transaction };
  }

  /** When what was kept is released, too. */
  async function expectNothingLeft(): Promise<void> {
    const keys = (await stored.rows()).filter(({ state }) => state === 'kept').map(({ key }) => key);
    await stored.release(blobs, ...keys);
    await stored.untilEmpty();
  }

  async function* slowly(): AsyncGenerator<Buffer> {
    yield randomBytes(10);
    // As long as it takes until the rows of the user are gone.
    while ((await stored.rows()).some(({ user_id }) => user_id === 'usr_1')) yield Buffer.from('.');
  }

  it('can be given up unread', async () => {
    const { key } = await writeBytes(blobs, randomBytes(MIB));
    await stored.keep(blobs, key);
    const [unread, halfRead] = [new AbortController(), new AbortController()];

    await blobs.open(key, { signal: unread.signal });
    unread.abort(new Error('not needed'));
    const reading = (await blobs.open(key, { signal: halfRead.signal }))?.[Symbol.asyncIterator]();
    await reading?.next();
    halfRead.abort(new Error('enough'));

    await expect(reading?.next()).rejects.toThrow('enough');
    expect((await readBytes(blobs, key))?.length).toBe(MIB);
  });
});
