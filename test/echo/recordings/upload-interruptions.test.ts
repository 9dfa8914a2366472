import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { eventually } from '../../support/probes/eventually.js';
import { noisyWav, RecordingProbe } from '../../support/builders/recordings.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

describe('an upload that is interrupted', () => {
  let [platform, token]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());

  it('keeps what had come when its connection broke, and goes on behind it', async () => {
    const audio = noisyWav(3);
    const recording = await RecordingProbe.create(platform, token);
    const socket = begin(recording.id, audio.length);
    socket.write(audio.subarray(0, 50_000));
    const stored = async () => (await recording.get()).uploaded_bytes as number;
    await eventually('what has come is stored', 15, async () => (await stored()) === 50_000);

    socket.write(audio.subarray(50_000, 60_000));
    await eventually('more is sent', 10, async () => socket.writableLength === 0);
    socket.destroy();
    const rest = await recording.putPiece(audio, await stored(), audio.length);

    expect(rest).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length, status: 'uploaded' } });
    expect((await recording.audio()).bytes.equals(audio)).toBe(true);
  });

  it('is ended by its client that asks, where a server was killed behind the last piece', async () => {
    const audio = noisyWav(1);
    const recording = await RecordingProbe.create(platform, token);
    await recording.putPiece(audio, 0, audio.length, '*');
    await platform.query('UPDATE recordings SET total_bytes = uploaded_bytes WHERE id = $1', [recording.id]);
    expect((await recording.get()).status).toBe('created');

    const asked = await recording.put(undefined, 'bytes */*');

    expect(asked).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length, status: 'uploaded' } });
  });

  it('is stored while it still comes', async () => {
    const audio = noisyWav(3);
    const recording = await RecordingProbe.create(platform, token);
    const socket = begin(recording.id, audio.length);
    socket.write(audio.subarray(0, 1_000));

    await eventually('it is stored', 15, async () => (await recording.get()).uploaded_bytes === 1_000);

    socket.write(audio.subarray(1_000));
    await eventually('the rest is stored', 15, async () => (await recording.get()).status !== 'created');
    expect((await recording.audio()).bytes.equals(audio)).toBe(true);
    socket.destroy();
  });

  it('gives way to the request that began after it', async () => {
    const audio = noisyWav(1);
    const recording = await RecordingProbe.create(platform, token);
    const socket = begin(recording.id, audio.length);
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write(audio.subarray(0, 1_000));
    await eventually('it has its turn', 10, async () => {
      const [row] = await platform.query<{ writer: string | null }>('SELECT writer FROM recordings WHERE id = $1', [
        recording.id,
      ]);
      return row?.writer !== null;
    });

    const other = await recording.put(audio);

    expect(other).toMatchObject({ status: 202, body: { uploaded_bytes: audio.length } });
    expect(await answered).toMatch(/^HTTP\/1\.1 409 .*"uploaded_bytes":\d+/s);
    expect((await recording.audio()).bytes.equals(audio)).toBe(true);
    socket.destroy();
  });

  it('ends with its recording, of which nothing is left', async () => {
    const audio = noisyWav(1);
    const recording = await RecordingProbe.create(platform, token);
    await recording.putPiece(audio, 0, 10_000);
    const socket = begin(recording.id, audio.length);
    socket.write(audio.subarray(0, 20_000));

    await recording.request('DELETE');
    socket.write(audio.subarray(20_000));

    expect((await recording.request('GET')).status).toBe(404);
    await eventually('nothing is left of it', 20, async () => {
      const [left] = await platform.query<{ rows: number }>(
        `SELECT ((SELECT count(*) FROM recordings WHERE id = $1)
         + (SELECT count(*) FROM blobs WHERE kind = 'recording_audio' AND state <> 'released'
            AND created_at > (SELECT max(created_at) FROM blobs) - interval '1 hour'
            AND key NOT IN (SELECT blob_key FROM recording_pieces)))::integer AS rows`,
        [recording.id],
      );
      return left?.rows === 0;
    });
    socket.destroy();
  });

  /** Sends the head of a request. */
  function begin(id: string, length: number): Socket {
    const { hostname, port } = new URL(platform.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(
      `PUT /v1/echo/recordings/${id}/audio HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: audio/wav\r\ncontent-length: ${length}\r\n\r\n`,
    );
    return socket;
  }
});
