import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noisyWav, RecordingProbe, sha256Of } from '../../support/builders/recordings.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

describe('the audio of a recording', () => {
  let [platform, token]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform({ ECHO_MAX_RECORDING_BYTES: '4000000' });
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  const open = () => RecordingProbe.create(platform, token);

  it('comes whole, as bytes or as a part of a form, and is fetched as it was sent', async () => {
    const audio = noisyWav(2);
    const [raw, form] = [await open(), await open()];
    const body = new FormData();
    body.append('file', new Blob([audio as never]), 'talk.wav');

    const answer = await raw.put(audio);
    const other = await form.request('PUT', '/audio', { body });

    expect(answer).toMatchObject({
      status: 202,
      body: {
        id: raw.id,
        object: 'echo.recording.upload',
        uploaded_bytes: audio.length,
        total_bytes: audio.length,
        status: 'uploaded',
      },
    });
    expect(other).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length, status: 'uploaded' } });
    for (const recording of [raw, form]) expect((await recording.audio()).bytes.equals(audio)).toBe(true);
    expect(await raw.get()).toMatchObject({ media_type: 'audio/wav', uploaded_bytes: audio.length });
  });

  it('is called as it was sent, unless its user has given it a name', async () => {
    const audio = noisyWav(1);
    const [form, raw, named] = [
      await open(),
      await open(),
      await RecordingProbe.create(platform, token, { filename: 'mine.wav' }),
    ];
    const body = new FormData();
    body.append('file', new Blob([audio as never]), 'Gespräch in Köln.wav');
    const headers = {
      'content-type': 'audio/wav',
      'content-disposition': `attachment; filename="x.wav"; filename*=UTF-8''%E4%BC%9A%E8%AD%B0.wav`,
    };

    await form.request('PUT', '/audio', { body });
    await raw.request('PUT', '/audio', { body: audio, headers });
    await named.request('PUT', '/audio', { body });

    expect(await Promise.all([form, raw, named].map(async (recording) => (await recording.get()).filename))).toEqual([
      'Gespräch in Köln.wav',
      '会議.wav',
      'mine.wav',
    ]);
    const fetched = await raw.audio();
    expect(fetched.headers.get('content-disposition')).toBe(
      `attachment; filename="??.wav"; filename*=UTF-8''%E4%BC%9A%E8%AD%B0.wav`,
    );
  });

  it('comes in pieces, also while its length is unknown', async () => {
    const audio = noisyWav(1);
    const recording = await open();

    const first = await recording.putPiece(audio, 0, 10_000, '*');
    const second = await recording.putPiece(audio, 10_000, 30_000, '*');
    const last = await recording.putPiece(audio, 30_000, audio.length, '*');
    const asked = await recording.put(undefined, 'bytes */*');
    const early = await recording.put(undefined, `bytes */${audio.length + 1}`);
    const ended = await recording.put(undefined, `bytes */${audio.length}`);
    const again = await recording.put(undefined, `bytes */${audio.length}`);

    expect([first, second, last].map(({ status, body }) => [status, body.uploaded_bytes, body.total_bytes])).toEqual([
      [202, 10_000, null],
      [202, 30_000, null],
      [202, audio.length, null],
    ]);
    expect(asked).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length, status: 'created' } });
    expect(early).toMatchObject({ status: 409, body: { error: { current: { uploaded_bytes: audio.length } } } });
    expect(ended).toMatchObject({ status: 202, body: { total_bytes: audio.length, status: 'uploaded' } });
    expect(again.status).toBe(202);
    expect(sha256Of((await recording.audio()).bytes)).toBe(sha256Of(audio));
  });

  it('takes a repeated piece where its bytes are the same, and goes on behind it', async () => {
    const audio = noisyWav(1);
    const recording = await open();
    await recording.putPiece(audio, 0, 20_000);
    const changed = Buffer.from(audio);
    changed[15_000] = (changed[15_000] ?? 0) ^ 1;

    const same = await recording.putPiece(audio, 5_000, 20_000);
    const other = await recording.putPiece(changed, 10_000, audio.length);
    const over = await recording.putPiece(audio, 10_000, audio.length);
    const late = await recording.putPiece(audio, 0, 20_000);
    const whole = await recording.put(audio);
    const longer = await recording.put(Buffer.concat([audio, audio]));

    expect(same).toMatchObject({ status: 202, body: { uploaded_bytes: 20_000, total_bytes: audio.length } });
    expect(other).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', current: { uploaded_bytes: 20_000 } } },
    });
    expect(over).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length, status: 'uploaded' } });
    expect([late.status, whole.status, longer.status]).toEqual([202, 202, 409]);
    expect((await recording.audio()).bytes.equals(audio)).toBe(true);
  });

  it('refuses a gap, and tells where the next piece begins', async () => {
    const audio = noisyWav(1);
    const recording = await open();
    await recording.putPiece(audio, 0, 8_000);

    const gap = await recording.putPiece(audio, 9_000, 12_000);

    expect(gap).toMatchObject({ status: 409, body: { error: { current: { uploaded_bytes: 8_000 } } } });
    expect(gap.headers.get('x-should-retry')).toBe('false');
    expect(await recording.get()).toMatchObject({ uploaded_bytes: 8_000, status: 'created' });
  });

  it.each([
    ['what is no range', 'bytes 0-', 400],
    ['another unit', 'lines 0-9/10', 400],
    ['a range that ends before it begins', 'bytes 9-3/10', 400],
    ['a range behind the end', 'bytes 0-99/50', 400],
    ['more bytes than it says', 'bytes 0-99/*', 400],
    ['fewer bytes than it says', 'bytes 0-999999/*', 400],
    ['more than a recording may have', 'bytes 0-99/4000001', 413],
    ['a body where it says that there is none', 'bytes */*', 400],
  ])('is refused with %s', async (_what, range, status) => {
    const recording = await open();

    const answer = await recording.put(noisyWav(0.1), range);

    expect(answer.status).toBe(status);
    expect(status === 413 || answer.body.error.param).toBe(status === 413 || 'content-range');
  });

  it('is refused where it is none, by its content', async () => {
    const recording = await open();
    const page = Buffer.from(`%PDF-1.7 ${'x'.repeat(100_000)}`);

    const told = await recording.put(page);
    const typed = await recording.put(page, undefined, { headers: { 'content-type': 'application/pdf' } });
    const drops = await recording.putPiece(page, 0, 20, '*');
    const ended = await recording.put(undefined, 'bytes */20');
    const empty = await recording.put(Buffer.alloc(0));

    expect([told.status, typed.status, drops.status, ended.status, empty.status]).toEqual([415, 415, 202, 415, 400]);
    expect((await recording.get()).status).toBe('created');
  });

  it('keeps to the length that was told first, and to the most that a recording may have', async () => {
    const audio = noisyWav(1);
    const recording = await open();
    await recording.putPiece(audio, 0, 8_000);

    const other = await recording.putPiece(audio, 8_000, 9_000, audio.length - 1);
    const large = await (await open()).put(Buffer.concat([audio, Buffer.alloc(4_000_000)]));

    expect(other).toMatchObject({ status: 409, body: { error: { current: { total_bytes: audio.length } } } });
    expect(large.status).toBe(413);
  });

  it('comes in drops over the graph, and lies in few files', async () => {
    const audio = noisyWav(0.5);
    const recording = await open();
    const mutation = `mutation ($id: ID!, $offset: SafeInt!, $base64: String!) {
      appendRecordingAudio(id: $id, offset: $offset, base64: $base64) { uploadedBytes }
    }`;
    for (let offset = 0; offset < audio.length; offset += 1_000) {
      const base64 = audio.subarray(offset, offset + 1_000).toString('base64');
      const { body } = await platform.graphql(mutation, { id: recording.id, offset, base64 }, token);
      expect(body.data.appendRecordingAudio.uploadedBytes).toBe(Math.min(audio.length, offset + 1_000));
    }
    const end = `mutation ($id: ID!, $range: String!) { uploadRecordingAudio(id: $id, contentRange: $range) { status } }`;
    const { body } = await platform.graphql(end, { id: recording.id, range: `bytes */${audio.length}` }, token);

    expect(body.data.uploadRecordingAudio.status).toBe('uploaded');
    expect((await recording.audio()).bytes.equals(audio)).toBe(true);
    const pieces = await platform.query<object>('SELECT FROM recording_pieces WHERE recording_id = $1', [recording.id]);
    expect(pieces).toHaveLength(1);
  });

  it('is fetched in ranges, across its pieces', async () => {
    const audio = noisyWav(40);
    const recording = await open();
    await recording.putPiece(audio, 0, 1_100_000);
    await recording.putPiece(audio, 1_100_000, audio.length);

    const part = await recording.audio({ range: 'bytes=1099990-1100009' });

    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1099990-1100009/${audio.length}`]);
    expect(part.bytes.equals(audio.subarray(1_099_990, 1_100_010))).toBe(true);
  });
});
