import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Encoders } from '../../../src/platform/audio/encoders.js';
import { eventually } from '../../support/probes/eventually.js';

const ANN = { tenantId: 'a', userId: 'ann' };
const AMY = { tenantId: 'a', userId: 'amy' };
const BOB = { tenantId: 'b', userId: 'bob' };
const RATE = 16_000;
/** More than the buffers between a program and its reader hold. */
const LONG = Buffer.alloc(4 * 1024 * 1024, 'sound');

describe('programs that write audio', () => {
  it('are a quarter of all for a user, and half for a tenant: more are refused after a while', async () => {
    const encoders = makeEncoders({ places: 4, waitMs: 1 });
    await open(encoders, ANN);

    await expect(open(encoders, ANN)).rejects.toMatchObject({ status: 429, details: { headers: RETRY } });
    await open(encoders, AMY);
    await expect(open(encoders, { tenantId: 'a', userId: 'abe' })).rejects.toMatchObject({ status: 429 });
    await open(encoders, BOB);
    await open(encoders, { tenantId: 'b', userId: 'ben' });
    await expect(open(encoders, { tenantId: 'c', userId: 'cid' })).rejects.toMatchObject({ status: 503 });
    expect(takenOf(encoders)).toBe(4);
  });

  it('are waited for by as many answers of a user as it may have, and the next is refused at once', async () => {
    const encoders = makeEncoders({ places: 4, waitMs: 600_000 });
    const first = new AbortController();
    await open(encoders, ANN, first.signal);
    const second = open(encoders, ANN);

    await expect(open(encoders, ANN)).rejects.toMatchObject({ status: 429 });
    first.abort();
    await second;
    expect([takenOf(encoders), encoders.gauges[1]?.read()]).toEqual([1, [{ value: 0 }]]);
  });

  it('are not needed for WAV and bare samples', async () => {
    const encoders = makeEncoders({ places: 1, waitMs: 1 });
    await open(encoders, ANN);

    const wav = await encoders.open('wav', ANN, NEVER);

    expect((await collect(wav.encode(partsOf(LONG), RATE))).length).toBe(44 + LONG.length);
  });

  it.each<[string, (encoders: Encoders) => Promise<unknown>]>([
    ['the end of the audio', async (encoders) => collect((await open(encoders, ANN)).encode(partsOf(LONG), RATE))],
    [
      'a reader that leaves',
      async (encoders) => {
        for await (const part of (await open(encoders, ANN)).encode(partsOf(LONG), RATE)) if (part.length > 0) break;
      },
    ],
    [
      'samples that fail',
      async (encoders) => {
        await expect(collect((await open(encoders, ANN)).encode(failing(), RATE))).rejects.toThrow('the engine failed');
      },
    ],
    [
      'a call that is over before it is read',
      async (encoders) => {
        const call = new AbortController();
        await open(encoders, ANN, call.signal);
        call.abort();
      },
    ],
    [
      'a call that is over while it is read',
      async (encoders) => {
        const call = new AbortController();
        const parts = (await open(encoders, ANN, call.signal)).encode(partsOf(LONG), RATE);
        await parts.next();
        call.abort(new Error('gone'));
        await expect(collect(parts)).rejects.toThrow('gone');
      },
    ],
    [
      'a program that cannot be started',
      async () => {
        const encoders = new Encoders({ ffmpeg: '/nowhere/ffmpeg', places: 1 });
        await expect(collect((await open(encoders, ANN)).encode(partsOf(LONG), RATE))).rejects.toThrow('damaged');
        await eventually('the place is free', 5, () => takenOf(encoders) === 0);
      },
    ],
  ])('give their places back behind %s', async (_what, work) => {
    const encoders = makeEncoders({ places: 1 });

    await work(encoders);

    await eventually('the place is free', 5, () => takenOf(encoders) === 0);
  });

  it('are ended, with what gives the samples, where a reader takes nothing for too long', async () => {
    const encoders = makeEncoders({ places: 1, stallMs: 20 });
    const left = Promise.withResolvers<void>();
    const samples = async function* (): AsyncGenerator<Buffer> {
      try {
        for (;;) yield LONG;
      } finally {
        left.resolve();
      }
    };
    const parts = (await open(encoders, ANN)).encode(samples(), RATE);

    await parts.next();
    await left.promise;

    await eventually('the place is free', 5, () => takenOf(encoders) === 0);
    await expect(collect(parts)).rejects.toMatchObject({ status: 503 });
  });

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'encoders-'));
    // Writes what it reads, whatever it is told.
    writeFileSync(join(folder, 'ffmpeg'), '#!/bin/sh\nexec cat\n', { mode: 0o700 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function makeEncoders(options: { places: number; waitMs?: number; stallMs?: number }): Encoders {
    return new Encoders({ ffmpeg: join(folder, 'ffmpeg'), ...options });
  }
});

const NEVER = new AbortController().signal;
const RETRY = expect.objectContaining({ 'retry-after': '5' });

function open(encoders: Encoders, owner: typeof ANN, signal = NEVER): ReturnType<Encoders['open']> {
  return encoders.open('mp3', owner, signal);
}

function takenOf({ gauges }: Encoders): number | undefined {
  const read = gauges[0]?.read() as { value: number }[] | undefined;
  return read?.[0]?.value;
}

async function* partsOf(samples: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < samples.length; at += 65_536) yield await Promise.resolve(samples.subarray(at, at + 65_536));
}

async function* failing(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(LONG);
  throw new Error('the engine failed');
}

async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}
