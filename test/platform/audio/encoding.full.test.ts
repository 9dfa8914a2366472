import { Readable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cutWav } from '../../../src/platform/audio/cut-wav.js';
import type { AudioFormat } from '../../../src/platform/audio/audio.types.js';
import { openAudio, samplesOf, silence, spoken, wavOf, withoutPauses } from '../../support/builders/audio.js';

const NEVER = new AbortController().signal;
let said: Buffer;

beforeAll(() => {
  said = samplesOf(spoken('The ferry leaves the northern pier at nine.'));
});

describe('writing audio', () => {
  it.each(['mp3', 'opus', 'flac', 'wav'] as const)('writes %s that can be read again', async (format) => {
    using bed = await openAudio();

    const written = await collect(bed.audio.encode(partsOf(said), { format, sampleRate: 16_000, signal: NEVER }));
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
    const encoded = bed.audio.encode(samples(), { format, sampleRate: 16_000, signal: NEVER });

    const first = await encoded.next();
    goOn();
    const others = await collect(encoded);

    expect((first.value as Buffer).length).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(0);
  });

  it('ends the program when the reader leaves, the caller goes, or the samples fail', async () => {
    using bed = await openAudio();
    const gone = new AbortController();
    const encode = (samples: AsyncIterable<Buffer>, format: AudioFormat = 'mp3') =>
      bed.audio.encode(samples, { format, sampleRate: 16_000, signal: gone.signal });
    const failing = async function* (): AsyncGenerator<Buffer> {
      yield said;
      throw new Error('the engine failed');
    };

    for await (const part of encode(partsOf(said))) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    await expect(collect(encode(failing()))).rejects.toThrow('the engine failed');
    const open = encode(Readable.from([said]), 'flac');
    await open.next();
    gone.abort(new Error('gone'));
    await expect(collect(open)).rejects.toThrow('gone');
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
