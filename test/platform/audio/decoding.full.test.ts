import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ffmpeg,
  openAudio,
  samplesOf,
  silence,
  sox,
  spoken,
  wavOf,
  withoutPauses,
} from '../../support/builders/audio.js';

const SENTENCE = 'The tide tables were printed on Tuesday. The harbour master checked them twice.';
/** Two seconds of silence, a sentence, three of silence, a sentence, one of silence. */
let talk: Buffer;
let saidSeconds: number;

beforeAll(() => {
  const said = samplesOf(spoken(SENTENCE));
  saidSeconds = said.length / 32_000;
  talk = wavOf(silence(2), said, silence(3), said, silence(1));
});

describe('decoding audio', () => {
  it('finds where somebody speaks, and how long the audio is', async () => {
    using bed = await openAudio();

    const { durationSeconds, spans, type, wavPath, sizeBytes } = await bed.decode(talk);

    expect(durationSeconds).toBeCloseTo(6 + 2 * saidSeconds, 3);
    expect(withoutPauses(spans)).toEqual([
      { start: expect.closeTo(2.2, 0), end: expect.closeTo(2 + saidSeconds, 0) },
      { start: expect.closeTo(5 + saidSeconds, 0), end: expect.closeTo(5 + 2 * saidSeconds, 0) },
    ]);
    expect(type.mediaType).toBe('audio/wav');
    expect(sizeBytes).toBe(talk.length);
    expect(readFileSync(wavPath).equals(talk)).toBe(true);
  });

  it.each([
    ['8 bits', ['-b', '8', '-e', 'unsigned-integer']],
    ['24 bits', ['-b', '24']],
    ['32 bits', ['-b', '32', '-e', 'signed-integer']],
    ['32 bits of float', ['-b', '32', '-e', 'floating-point']],
    ['64 bits of float', ['-b', '64', '-e', 'floating-point']],
    ['A-law', ['-e', 'a-law']],
    ['mu-law', ['-e', 'mu-law']],
    ['44,100 Hz in stereo', ['-r', '44100', '-c', '2']],
    ['8,000 Hz', ['-r', '8000']],
    ['48,000 Hz in 8 channels of 24 bits, extensible', ['-r', '48000', '-c', '8', '-b', '24']],
  ])('reads WAV files with %s by itself', async (_, form) => {
    using bed = await openAudio();
    const file = sox(['-t', 'wav', '-', ...form, '-t', 'wav', '-'], talk);

    const { durationSeconds, spans, wavPath } = await bed.decode(file);

    expect(durationSeconds).toBeCloseTo(6 + 2 * saidSeconds, 2);
    expect(withoutPauses(spans)).toEqual([
      { start: expect.closeTo(2.2, 0), end: expect.closeTo(2 + saidSeconds, 0) },
      { start: expect.closeTo(5 + saidSeconds, 0), end: expect.closeTo(5 + 2 * saidSeconds, 0) },
    ]);
    expect(likeness(samplesOf(readFileSync(wavPath)), samplesOf(talk))).toBeGreaterThan(0.9);
  });

  it.each([
    ['mp3', 'audio/mpeg', ['-b:a', '64k', '-f', 'mp3']],
    ['flac', 'audio/flac', ['-f', 'flac']],
    ['ogg with opus', 'audio/ogg', ['-c:a', 'libopus', '-f', 'ogg']],
    ['ogg with vorbis', 'audio/ogg', ['-c:a', 'libvorbis', '-f', 'ogg']],
    ['webm', 'video/webm', ['-c:a', 'libopus', '-f', 'webm']],
    ['aac', 'audio/aac', ['-f', 'adts']],
    ['fragmented mp4', 'video/mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']],
    ['matroska', 'video/matroska', ['-c:a', 'flac', '-f', 'matroska']],
    ['WAV with ADPCM', 'audio/wav', ['-c:a', 'adpcm_ms', '-f', 'wav']],
  ])('has ffmpeg read %s', async (_, mediaType, form) => {
    using bed = await openAudio();

    const { durationSeconds, spans, type } = await bed.decode(ffmpeg(talk, ...form));

    expect(type.mediaType).toBe(mediaType);
    expect(Math.abs(durationSeconds - (6 + 2 * saidSeconds))).toBeLessThan(0.15);
    expect(withoutPauses(spans)).toHaveLength(2);
  });

  it('hears nothing in silence and in a hum', async () => {
    using bed = await openAudio();
    const hum = sox([
      '-n',
      '-r',
      '16000',
      '-c',
      '1',
      '-b',
      '16',
      '-t',
      'wav',
      '-',
      'synth',
      '20',
      'sine',
      '50',
      'gain',
      '-6',
    ]);

    expect((await bed.decode(wavOf(silence(20)))).spans).toEqual([]);
    expect((await bed.decode(hum)).spans).toEqual([]);
  });

  it('runs the model whose origin and licence are written down', () => {
    const folder = new URL('../../../models/silero-vad/', import.meta.url);
    const model = readFileSync(new URL('silero_vad_16k_op15.onnx', folder));

    expect(readFileSync(new URL('README.md', folder), 'utf8')).toContain(
      createHash('sha256').update(model).digest('hex'),
    );
  });
});

/** How alike two texts of samples of 16 bits are: 1 where they are the same but for their loudness. */
function likeness(one: Buffer, other: Buffer): number {
  let [both, first, second] = [0, 0, 0];
  for (let place = 0; place + 2 <= Math.min(one.length, other.length); place += 2) {
    const [a, b] = [one.readInt16LE(place), other.readInt16LE(place)];
    both += a * b;
    first += a * a;
    second += b * b;
  }
  return both / Math.sqrt(first * second);
}
