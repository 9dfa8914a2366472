import { expect, it } from '@jest/globals';
import { NotFound, StorageExceeded, Unavailable } from '../../../src/errors.js';
import type { PlatformError } from '../../../src/errors.js';
import { LIVE_HEAD_BYTES } from '../../../src/echo/live/live-format.js';
import { LiveRecording } from '../../../src/echo/live/live-recording.js';

const FORMAT = { encoding: 'pcm', rate: 24_000 } as const;
const AUDIO = Buffer.from('audio that is to be kept');

it('is kept and tried again, at growing intervals, where storing fails for a while', async () => {
  const { recording, told, pauses, uploads } = open([
    new Unavailable('Full.'),
    new Error('lost'),
    new Unavailable('Full.'),
  ]);

  await recording.push(AUDIO, FORMAT);
  await recording.flush();
  await recording.push(AUDIO, FORMAT);
  await recording.flush();

  expect(pauses).toEqual([0.5, 1, 2]);
  expect(told).toEqual(['delayed', AUDIO.length, 2 * AUDIO.length]);
  expect(uploads.stored.subarray(LIVE_HEAD_BYTES)).toEqual(Buffer.concat([AUDIO, AUDIO]));
});

it.each([new StorageExceeded('Full.'), new NotFound()])(
  'is given up at once where storing will not succeed: %s',
  async (error) => {
    const { recording, told } = open([error]);

    await recording.push(AUDIO, FORMAT);
    await recording.flush();
    await recording.push(AUDIO, FORMAT);
    await recording.flush();

    expect(told).toEqual([error]);
    await expect(recording.end()).rejects.toThrow(/Not all of the audio is stored/);
  },
);

it.each([
  [120, false],
  [10, true],
])('is given up after %d s, where the session is over: %s', async (seconds, isOver) => {
  const { recording, told, ending, pauses } = open(Array(100).fill(new Unavailable('Full.')));
  if (isOver) ending.abort();

  await recording.push(AUDIO, FORMAT);
  await recording.flush();

  expect(told.at(-1)).toBeInstanceOf(Unavailable);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(seconds + 6);
});

it('takes no more than it keeps anyway while nothing can be stored', async () => {
  const gate = Promise.withResolvers<void>();
  const { recording, uploads } = open([]);
  uploads.gate = gate.promise;
  const large = Buffer.alloc(400_000);

  await recording.push(large, FORMAT);
  const second = recording.push(large, FORMAT).then(() => 'taken');
  const first = await Promise.race([second, new Promise((resolve) => setImmediate(() => resolve('waits')))]);
  gate.resolve();

  expect([first, await second]).toEqual(['waits', 'taken']);
  await recording.flush();
});

/** A recording whose storing fails with these first. */
function open(failures: Error[]) {
  const told: (string | number | PlatformError)[] = [];
  const pauses: number[] = [];
  const ending = new AbortController();
  let now = 0;
  const uploads = {
    stored: Buffer.alloc(0),
    gate: Promise.resolve(),
    send: async (_caller: unknown, _id: string, { range, upload }: StoredPiece) => {
      await uploads.gate;
      const failure = failures.shift();
      if (failure) throw failure;
      expect(range.start).toBe(uploads.stored.length);
      uploads.stored = Buffer.concat([uploads.stored, upload.content]);
    },
  };
  const recording = new LiveRecording({
    caller: {} as never,
    uploads: uploads as never,
    recordingId: 'rec_1',
    signal: ending.signal,
    stored: (bytes) => told.push(bytes),
    delayed: () => told.push('delayed'),
    failed: (error) => told.push(error as PlatformError),
    clock: {
      now: () => now,
      wait: async (seconds) => {
        pauses.push(seconds);
        now += seconds;
      },
    },
  });
  return { recording, told, pauses, ending, uploads };
}

interface StoredPiece {
  readonly range: { readonly start: number };
  readonly upload: { readonly content: Buffer };
}
