import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { wavHead } from '../../../src/platform/audio/wav/wav-head.js';
import { setQuota } from '../../support/builders/quota.js';
import { eventually } from '../../support/probes/eventually.js';
import { metricValue } from '../../support/probes/metrics.js';
import { openRaw, readAnswer } from '../../support/probes/raw-client.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('the disk that uploads of audio take while they are worked on', () => {
  let bed: SpeechBed;
  const sockets: Socket[] = [];

  beforeAll(start);
  afterAll(() => bed.close());
  afterEach(leave);

  it('is set aside before the bytes come, and refused beyond the share of a user', async () => {
    const [first, second] = [await begin(1.5 * MIB), await begin(1.5 * MIB)];
    await untilHeld(3 * MIB);

    const refused = await readAnswer(await begin(1.5 * MIB));

    expect(refused).toMatchObject({ status: 429, head: expect.stringMatching(/^retry-after: 10\r$/im) as unknown });
    expect(refused.body).toContain('wait until they are done');
    for (const socket of [first, second]) socket.destroy();
    await untilHeld(0);
  });

  it('is set aside as the bytes come where nobody says how many there will be', async () => {
    const socket = await begin(undefined);
    await untilHeld(0);

    for (let count = 1; count <= 3; count += 1) {
      writeChunk(socket, Buffer.alloc(MIB));
      await untilHeld(count * MIB);
    }
    writeChunk(socket, Buffer.alloc(2 * MIB));
    const refused = await readAnswer(socket);

    expect(refused.status).toBe(413);
  });

  it('counts what the audio becomes when it is decoded', async () => {
    const samples = Buffer.alloc(2 * MIB);
    const head = wavHead(8_000, samples.length);
    // One byte a sample, of which four of 16 kHz and 16 bits are made.
    head.writeUInt32LE(8_000, 28);
    head.writeUInt16LE(1, 32);
    head.writeUInt16LE(8, 34);

    const refused = await send(Buffer.concat([head, samples]));

    expect([refused.status, await refused.json()]).toEqual([
      413,
      { error: expect.objectContaining({ code: 'payload_too_large' }) as unknown },
    ]);
  });

  it('is not taken where the quota is used up: that is told before any byte of the file', async () => {
    await setQuota({ platform: bed.platform, token: bed.token }, { enforcing: true, audio_seconds: 0 });

    const refused = await readAnswer(await begin(1.5 * MIB, { isHeadAlone: true }));

    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { reason: 'quota_exceeded' } });
    await setQuota({ platform: bed.platform, token: bed.token }, { enforcing: false });
  });

  /** Begins an upload of so many bytes that does not go on. */
  async function start(): Promise<void> {
    // A user has a quarter: 4 MiB.
    bed = await startSpeechBed([{}], { ...SERVICE.env, SCRATCH_BYTES: String(16 * MIB) });
  }

  async function leave(): Promise<void> {
    for (const socket of sockets.splice(0)) socket.destroy();
    await untilHeld(0);
  }

  async function begin(bytes: number | undefined, { isHeadAlone = false } = {}): Promise<Socket> {
    const socket = await openRaw(bed.platform.url);
    sockets.push(socket);
    const length = bytes === undefined ? 'transfer-encoding: chunked' : `content-length: ${bytes}`;
    const lines = ['host: a', `authorization: Bearer ${bed.token}`, 'content-type: multipart/form-data; boundary=b'];
    socket.write(`POST /v1/audio/transcriptions HTTP/1.1\r\n${[...lines, length].join('\r\n')}\r\n\r\n`);
    if (isHeadAlone) return socket;
    if (bytes === undefined) writeChunk(socket, Buffer.from(HEAD));
    else socket.write(`${HEAD}RIFF`);
    return socket;
  }

  function send(bytes: Buffer): Promise<Response> {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(bytes)], 'a.wav'));
    form.append('model', 'heard');
    const headers = { authorization: `Bearer ${bed.token}` };
    return fetch(`${bed.platform.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  }

  function untilHeld(bytes: number): Promise<boolean> {
    return eventually(
      `${bytes} bytes are set aside`,
      5,
      async () => (await metricValue(bed.platform, SERVICE.key, 'platform_scratch_bytes')) === bytes,
    );
  }
});

const MIB = 1024 * 1024;
const SERVICE = newServiceKey();
const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';

function writeChunk(socket: Socket, bytes: Buffer): void {
  socket.write(`${bytes.length.toString(16)}\r\n`);
  socket.write(bytes);
  socket.write('\r\n');
}
