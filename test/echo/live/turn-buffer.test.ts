import { expect, it } from '@jest/globals';
import { TurnBuffer } from '../../../src/echo/live/turn-buffer.js';
import { DEFAULT_DETECTION } from '../../../src/echo/live/turn-detector.js';

const MS = 32;

it('keeps its time, and the turn that has begun, where the thresholds change', () => {
  const buffer = new TurnBuffer(DEFAULT_DETECTION);

  const before = [...buffer.push(Buffer.concat([silence(2_000), tone(1_000)]))];
  buffer.detect({ ...DEFAULT_DETECTION, silenceMs: 1_000 });
  let taken = 0;
  const after = [];
  for (const change of buffer.push(Buffer.concat([tone(1_000), silence(1_500)]))) {
    after.push(change);
    taken = buffer.take().length / MS;
  }

  expect(before).toEqual([{ kind: 'started', atMs: expect.closeTo(1_700, -2) }]);
  expect(after).toEqual([{ kind: 'stopped', atMs: expect.closeTo(5_000, -2) }]);
  // From its beginning, with the silence that ends it.
  expect(taken).toBeGreaterThan(3_000);
});

it('keeps its time where turns are looked for again', () => {
  const buffer = new TurnBuffer(DEFAULT_DETECTION);

  const first = [...buffer.push(silence(2_000))];
  buffer.detect(null);
  const second = [...buffer.push(silence(2_000))];
  buffer.clear();
  buffer.detect(DEFAULT_DETECTION);
  const third = [...buffer.push(Buffer.concat([silence(1_000), tone(500)]))];

  expect([first, second]).toEqual([[], []]);
  expect(third).toEqual([{ kind: 'started', atMs: expect.closeTo(4_700, -2) }]);
});

function silence(milliseconds: number): Buffer {
  return Buffer.alloc(milliseconds * MS);
}

function tone(milliseconds: number): Buffer {
  const samples = Buffer.alloc(milliseconds * MS);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(Math.round(6_000 * Math.sin(at / 9)), at);
  return samples;
}
