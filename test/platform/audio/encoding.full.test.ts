import { Readable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cutWav } from '../../../src/platform/audio/cut-wav.js';
import type { AudioFormat } from '../../../src/platform/audio/audio.types.js';
import type { Encoder } from '../../../src/platform/audio/encoder.js';
import type { AudioBed } from '../../support/builders/audio.js';
import { openAudio, samplesOf, silence, spoken, wavOf, withoutPauses } from '../../support/builders/audio.js';

const NEVER = new AbortController().signal;
let said: Buffer;

beforeAll(() => {
  said = samplesOf(spoken('The ferry leaves the northern pier at nine.'));
});

describe('writing audio', () => {
  it.each(['mp3', 'opus', 'flac', 'wav'] as const)('writes %s that can be read again', async (format) => {
    using bed = await openAudio();

    const written = await collect((await open(bed, format)).encode(partsOf(said), 16_000));
    const { durationSeconds, spans } = await bed.decode(written);

    expect(Math.abs(durationSeconds - said.length / 32_000)).toBeLessThan(0.15);
    expect(withoutPauses(spans)).toHaveLength(1);
  });

  it.each(['mp3', 'opus', 'flac'] as const)('gives the first %s before the last samples are there', async (format) => {
    using bed = await openAudio();
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    const samples = async function* (): AsyncGenerator<Buffer> {
      yield said;
      await rest;
      yield said;
    };
    const encoded = (await open(bed, format)).encode(samples(), 16_000);

    const first = await encoded.next();
    goOn();
    const others = await collect(encoded);

    expect((first.value as Buffer).length).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(0);
  });

  it('ends the program when the reader leaves, the caller goes, or the samples fail', async () => {
    using bed = await openAudio();
    const gone = new AbortController();
    const encode = async (samples: AsyncIterable<Buffer>, format: AudioFormat = 'mp3') =>
      (await open(bed, format, gone.signal)).encode(samples, 16_000);
    const failing = async function* (): AsyncGenerator<Buffer> {
      yield said;
      throw new Error('the engine failed');
    };

    for await (const part of await encode(partsOf(said))) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    await expect(collect(await encode(failing()))).rejects.toThrow('the engine failed');
    const read = await encode(Readable.from([said]), 'flac');
    await read.next();
    gone.abort(new Error('gone'));
    await expect(collect(read)).rejects.toThrow('gone');
  });

  it('cuts stretches of a decoded file, and puts silence between them', async () => {
    using bed = await openAudio();
    const { wavPath } = await bed.decode(wavOf(silence(2), said, silence(5), said));
    const path = bed.path('cut.wav');
    const seconds = said.length / 32_000;

    const size = await cutWav(
      wavPath,
      [
        { start: 2, end: 2 + seconds },
        { start: 7 + seconds, end: 7 + 2 * seconds + 10 },
      ],
      { path, gapSeconds: 0.5, signal: NEVER },
    );

    expect(readFileSync(path).equals(wavOf(said, silence(0.5), said))).toBe(true);
    expect(size).toBe(44 + 2 * said.length + 16_000);
  });
});

function open(bed: AudioBed, format: AudioFormat, signal = NEVER): Promise<Encoder> {
  return bed.audio.encoders.open(format, { tenantId: 'tenant', userId: 'user' }, signal);
}

function partsOf(samples: Buffer): AsyncIterable<Buffer> {
  const parts = Array.from({ length: Math.ceil(samples.length / 8_192) }, (_, index) =>
    samples.subarray(index * 8_192, (index + 1) * 8_192),
  );
  return Readable.from(parts);
}

async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}
