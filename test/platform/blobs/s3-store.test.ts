import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import type { Blobs } from '../../../src/platform/blobs/blobs.js';
import { eventually } from '../../support/probes/eventually.js';
import {
  OWNER,
  pieces,
  readBytes,
  request,
  StoredBlobs,
  sweep,
  writeBytes,
} from '../../support/probes/stored-blobs.js';

const MIB = 1024 * 1024;
const LARGE = 12 * MIB;

describe('an S3-compatible store of blobs', () => {
  let stored: StoredBlobs;
  let blobs: Blobs;

  beforeEach(async () => {
    stored = await StoredBlobs.open('an S3-compatible store');
    blobs = await stored.start();
  });
  afterEach(() => stored.close());

  it('has the bytes below its prefix, small ones in one request and large ones in parts', async () => {
    const small = await writeBytes(blobs, randomBytes(5 * MIB));
    const asked = stored.server.asked.splice(0);
    const large = await writeBytes(blobs, randomBytes(LARGE));
    const names = [...stored.server.objects.keys()];

    expect(names[0]).toMatch(
      new RegExp(`^some/prefix/[0-9a-f-]{36}/${small.key.at(-2)}/${small.key.at(-1)}/${small.key}$`),
    );
    expect(asked).toEqual([expect.stringMatching(/^PUT .* 200$/)]);
    expect(stored.server.asked.map((line) => line.split(' ')[0])).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'POST']);
    expect(await stored.files()).toEqual([]);
    expect((await readBytes(blobs, large.key))?.length).toBe(LARGE);
  });

  it('that does not know the key says 503, and nothing of it stands in the log', async () => {
    const wrong = await stored.start('wrong', { S3_URL: stored.server.url('wrong-secret') });

    await expect(writeBytes(wrong, randomBytes(10))).rejects.toMatchObject({
      status: 503,
      message: 'Files cannot be stored at the moment.',
    });
    const health = await wrong.check();

    expect(health).toBe('down');
    expect(stored.logLines.join('')).toContain('SignatureDoesNotMatch (403)');
    expect(stored.logLines.join('')).not.toMatch(/wrong-secret|AKIATEST/);
    expect(await stored.usage()).toEqual({});
  });

  it.each([
    ['fails', { status: 500, code: 'InternalError' }, /./],
    ['fails for a part', { status: 503, code: 'SlowDown' }, /partNumber=2/],
    ['fails at the end', { status: 500, code: 'InternalError' }, /^POST .*uploadId/],
    ['breaks the connection', 'reset', /partNumber=3/],
  ] as const)('that %s leaves nothing when it is there again', async (_does, fault, when) => {
    stored.server.fault = (asked) => (when.test(asked) ? fault : undefined);

    await expect(writeBytes(blobs, randomBytes(LARGE))).rejects.toMatchObject({ status: 503 });
    expect(await stored.usage()).toEqual({});
    stored.server.fault = () => undefined;
    await stored.dataSource.query('UPDATE blobs SET delete_after = now()');
    await sweep(blobs);

    await stored.untilEmpty();
    expect([stored.server.objects.size, stored.server.uploads.size]).toEqual([0, 0]);
  });

  it('that is silent does not keep a write that is cancelled', async () => {
    const cancelled = new AbortController();
    stored.server.fault = (asked) => (asked.includes('partNumber=2') ? 'hang' : undefined);

    const write = blobs.write(OWNER, request({ signal: cancelled.signal }), pieces(randomBytes(LARGE)));
    await eventually('it hangs', 5, () => stored.server.asked.some((line) => line.includes('partNumber=1')));
    cancelled.abort(new Error('enough'));

    await expect(write).rejects.toThrow('enough');
    await eventually('the upload is gone', 5, () => stored.server.uploads.size === 0);
  });

  it('that is down is tried again for what was released, which takes no storage meanwhile', async () => {
    const { key } = await writeBytes(blobs, randomBytes(10));
    await stored.keep(blobs, key);
    stored.server.fault = () => ({ status: 503, code: 'ServiceUnavailable' });

    await stored.release(blobs, key);
    await eventually('it was tried', 10, () => stored.logLines.some((line) => line.includes('deleted later')));
    const meanwhile = [
      await stored.usage(),
      (await stored.rows()).map(({ state }) => state),
      stored.server.objects.size,
    ];
    stored.server.fault = () => undefined;
    await sweep(blobs);
    const tooEarly = stored.server.objects.size;
    await stored.dataSource.query('UPDATE blobs SET delete_after = now()');
    await sweep(blobs);

    expect(meanwhile).toEqual([{}, ['released'], 1]);
    expect(tooEarly).toBe(1);
    expect([await stored.rows(), stored.server.objects.size]).toEqual([[], 0]);
  });

  it('that cannot list uploads is swept all the same', async () => {
    stored.server.fault = (asked) => (asked.includes('?uploads') ? { status: 501, code: 'NotImplemented' } : undefined);
    const { key } = await writeBytes(blobs, randomBytes(10));

    await blobs.discard([key]);
    await sweep(blobs);

    await stored.untilEmpty();
    expect(stored.server.objects.size).toBe(0);
  });

  it('of which an object is missing, cut off, or cannot be read, tells no wrong bytes', async () => {
    const all = [await writeBytes(blobs, randomBytes(99)), await writeBytes(blobs, randomBytes(99))];
    const [missing = '', cut = ''] = all.map(({ key }) => key);
    await stored.keep(blobs, missing, cut);
    const nameOf = (key: string) => [...stored.server.objects.keys()].find((name) => name.endsWith(key)) ?? '';
    stored.server.objects.set(nameOf(cut), { bytes: randomBytes(98), modifiedAt: new Date() });
    stored.server.objects.delete(nameOf(missing));

    const read = [
      await readBytes(blobs, missing),
      await readBytes(blobs, cut),
      await readBytes(blobs, cut, { start: 98 }),
    ];
    stored.server.fault = () => 'reset';
    await expect(readBytes(blobs, cut)).rejects.toMatchObject({ status: 503 });

    expect(read).toEqual([undefined, undefined, undefined]);
    expect(stored.logLines.filter((line) => line.includes('missing or damaged'))).toHaveLength(3);
  });

  it('tells how it does, and asks no more often than every five seconds', async () => {
    const states = [await blobs.check(), await blobs.check(), await blobs.check()];

    expect(states).toEqual(['ok', 'ok', 'ok']);
    expect(stored.server.asked).toHaveLength(1);
  });

  it('is asked how it does for as long as the signal lasts', async () => {
    const [asked, timeout] = [Promise.withResolvers<void>(), new AbortController()];
    stored.server.fault = () => {
      asked.resolve();
      return 'hang';
    };

    const hanging = blobs.check(timeout.signal);
    await asked.promise;
    timeout.abort();
    await expect(hanging).rejects.toThrow('AbortError');
    stored.server.fault = () => undefined;

    expect(await blobs.check()).toBe('ok');
  });

  it('is the only way to several processes: without one they are degraded, which is logged once', async () => {
    const shared = await stored.start('shared', {}, 2);
    const divided = await stored.start('divided', { S3_URL: '' }, 2);

    const states = [await shared.check(), await divided.check(), await divided.check()];

    expect(states).toEqual(['ok', 'degraded', 'degraded']);
    expect(stored.logLines.filter((line) => line.includes('several processes serve without S3_URL'))).toHaveLength(1);
  });

  it('is counted in the metrics by the states of its files', async () => {
    const [kept] = [await writeBytes(blobs, randomBytes(10)), await writeBytes(blobs, randomBytes(5))];
    await stored.keep(blobs, kept.key);

    await sweep(blobs);
    const [count, bytes] = blobs.gauges.map((gauge) => gauge.read());

    expect(count).toEqual(
      expect.arrayContaining([
        { labels: { state: 'kept' }, value: 1 },
        { labels: { state: 'writing' }, value: 1 },
      ]),
    );
    expect(bytes).toEqual(
      expect.arrayContaining([
        { labels: { state: 'kept' }, value: 10 },
        { labels: { state: 'writing' }, value: 5 },
      ]),
    );
  });
});

describe('S3_URL', () => {
  it.each([
    ['s3://key:sec%2Fret@s3.example.com/files', 'https://s3.example.com', 'us-east-1', ''],
    ['s3://key:sec%2Fret@127.0.0.1:9000/files/a/b?tls=false&region=eu', 'http://127.0.0.1:9000', 'eu', 'a/b'],
    ['s3://key:sec%2Fret@[::1]:9000/files/a/?tls=true', 'https://[::1]:9000', 'us-east-1', 'a'],
  ])('%s is understood', (text, endpoint, region, prefix) => {
    const { s3Url } = readConfig({ S3_URL: text });

    expect(s3Url).toEqual({
      endpoint,
      region,
      bucket: 'files',
      prefix,
      accessKeyId: 'key',
      secretAccessKey: 'sec/ret',
    });
  });

  it.each([
    'https://key:secret@host/files',
    's3://key@host/files',
    's3://:secret@host/files',
    's3://key:secret@host',
    's3://key:secret@host/..',
    's3://key:secret@host/files/a//b',
    's3://key:secret@host/files/a b',
    's3://key:secret@host/files/%zz',
    's3://key:secret@host/files?tls=no',
    's3://key:secret@host/files?ssl=false',
    's3://key:secret@/files',
    'secret',
  ])('%s is refused, and not repeated', (text) => {
    const read = () => readConfig({ S3_URL: text });

    expect(read).toThrow(/S3_URL: must have the form s3:/);
    expect(read).not.toThrow(/:secret@/);
  });
});
