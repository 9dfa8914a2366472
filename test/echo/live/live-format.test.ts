import { expect, it } from '@jest/globals';
import { LiveSamples } from '../../../src/echo/live/live-format.js';

const SAMPLES = Buffer.from(Int16Array.from([1, -2, 300, -400, 5]).buffer);
const PCM = { encoding: 'pcm', rate: 16_000 } as const;

it('goes on within a sample with the next one', () => {
  const samples = new LiveSamples(PCM, 3);

  const heard = [0, 1, 2, 3, 4, 5, 6].map((at) => samples.push(SAMPLES.subarray(3 + at, 4 + at)));

  expect(Buffer.concat(heard)).toEqual(SAMPLES.subarray(4));
});

it.each([0, 2])('leaves nothing out at whole samples: %d', (start) => {
  expect(new LiveSamples(PCM, start).push(SAMPLES.subarray(start))).toEqual(SAMPLES.subarray(start));
});

it('leaves nothing out of formats of one byte', () => {
  const samples = new LiveSamples({ encoding: 'mulaw', rate: 8_000 }, 1);

  expect(samples.push(Buffer.alloc(8_000)).length).toBeGreaterThan(31_000);
});
