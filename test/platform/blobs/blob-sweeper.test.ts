import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Blobs } from '../../../src/platform/blobs/blobs.js';
import { newId } from '../../../src/platform/ids.js';
import { eventually } from '../../support/probes/eventually.js';
import {
  OWNER,
  PLACES,
  request,
  silentAfter,
  StoredBlobs,
  sweep,
  writeBytes,
} from '../../support/probes/stored-blobs.js';

describe.each(PLACES)('the sweep of blobs in %s', (place) => {
  let stored: StoredBlobs;
  let blobs: Blobs;

  beforeEach(async () => {
    stored = await StoredBlobs.open(place);
    blobs = await stored.start();
  });
  afterEach(() => stored.close());

  it('deletes what a dead process was writing, or had written and not kept, and nothing else', async () => {
    const dying = await stored.start('dying');
    const end = new AbortController();
    const kept = await writeBytes(dying, Buffer.from('kept'));
    await stored.keep(dying, kept.key);
    const mine = await writeBytes(blobs, Buffer.from('mine'));
    await writeBytes(dying, Buffer.from('not kept'));
    const half = dying.write(OWNER, request({ signal: end.signal, expectedBytes: 1e6 }), silentAfter(6e6));
    await eventually('half of it is there', 5, () =>
      place === 'the data folder' ? bytesOf(6e6) : stored.server.uploads.size > 0,
    );

    await sweep(blobs);
    const before = (await stored.rows()).length;
    await stored.kill('dying');
    await sweep(blobs);
    const left = { rows: await stored.rows(), usage: await stored.usage() };
    end.abort(new Error('it stood still only'));

    await expect(half).rejects.toThrow();
    expect(before).toBe(4);
    expect(left.rows.map(({ key, state }) => [key, state])).toEqual([
      [kept.key, 'kept'],
      [mine.key, 'writing'],
    ]);
    expect(left.usage).toEqual({ ten_1: 8, usr_1: 8 });
    await eventually(
      'only its bytes are there',
      5,
      async () => (await stored.names()).length === 2 && stored.server.uploads.size === 0,
    );
  });

  it('ends the write of a process that was taken for dead, and of which nothing is left then', async () => {
    const paused = await stored.start('paused');
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const source = async function* () {
      yield Buffer.alloc(100);
      await pause;
    };

    const write = paused.write(OWNER, request(), source());
    await eventually('its row is there', 5, async () => (await stored.rows()).length === 1);
    await stored.kill('paused');
    await sweep(blobs);
    goOn();

    await expect(write).rejects.toMatchObject({ status: 503 });
    expect([await stored.rows(), await stored.usage()]).toEqual([[], {}]);
    await eventually('no bytes are there', 5, async () => (await stored.names()).length === 0);
  });

  it('deletes bytes without a row after a day, none that are younger, and nothing that is not ours', async () => {
    const { key } = await writeBytes(blobs, Buffer.from('used'));
    await stored.keep(blobs, key);
    const [old, young] = [newId('blob'), newId('blob')];
    await stored.put(old);
    await stored.put('notes.txt');
    await stored.age(25);
    await stored.put(young);

    await sweep(blobs);

    expect((await stored.names()).toSorted()).toEqual([key, young, 'notes.txt'].toSorted());
  });

  it('looks for bytes without a row once a day, and on one process at a time', async () => {
    await writeBytes(blobs, Buffer.from('used'));
    const other = await stored.start('other');
    await sweep(blobs);
    const [first, second] = [newId('blob'), newId('blob')];
    await stored.put(first);
    await stored.age(25);

    await sweep(blobs);
    const onceADay = (await stored.names()).includes(first);
    await stored.dataSource.query("UPDATE blob_sweeps SET listed_at = now() - interval '25 hours'");
    await sweep(other);
    const byOther = (await stored.names()).includes(first);
    await sweep(blobs);
    const byThis = (await stored.names()).includes(first);
    await stored.dataSource.query(
      "UPDATE blob_sweeps SET listed_at = NULL, claimed_until = now() - interval '1 second'",
    );
    await stored.put(second);
    await stored.age(25);
    await sweep(other);

    expect([onceADay, byOther, byThis]).toEqual([true, true, false]);
    expect(await stored.names()).not.toContain(second);
  });

  it('is done by another process at once when the one that did it is dead', async () => {
    await writeBytes(blobs, Buffer.from('used'));
    const dying = await stored.start('dying');
    await sweep(dying);
    const old = newId('blob');
    await stored.put(old);
    await stored.age(25);
    await stored.dataSource.query('UPDATE blob_sweeps SET listed_at = NULL');

    await sweep(blobs);
    const whileAlive = (await stored.names()).includes(old);
    await stored.kill('dying');
    await sweep(blobs);

    expect(whileAlive).toBe(true);
    expect(await stored.names()).not.toContain(old);
  });

  it('leaves the bytes of another database alone', async () => {
    const shared: Record<string, string> =
      place === 'the data folder' ? { DATA_DIR: stored.dataDir } : { S3_URL: stored.server.url() };
    const other = await StoredBlobs.open(place, shared);
    const theirs = await other.start();
    const { key } = await writeBytes(theirs, Buffer.from('theirs'));
    await writeBytes(blobs, Buffer.from('ours'));
    await stored.age(25);

    await sweep(blobs);

    expect(await stored.names()).toContain(key);
    await other.close();
  });

  async function bytesOf(atLeast: number): Promise<boolean> {
    const [row] = await stored.dataSource.query("SELECT FROM blobs WHERE size_bytes >= $1 AND state = 'writing'", [
      atLeast,
    ]);
    return row !== undefined;
  }
});
