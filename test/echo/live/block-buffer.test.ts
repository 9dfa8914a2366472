import { expect, it, jest } from '@jest/globals';
import { BlockBuffer } from '../../../src/echo/live/block-buffer.js';
import { TurnBuffer } from '../../../src/echo/live/turn-buffer.js';

it.each([1, 2, 3, 7, 100])('has the bytes in their order, in parts of %d', (size) => {
  const buffer = new BlockBuffer(7);
  const bytes = Buffer.from(Array.from({ length: 50 }, (_, index) => index));
  for (let at = 0; at < bytes.length; at += size) buffer.push(bytes.subarray(at, at + size));

  expect(buffer.length).toBe(50);
  buffer.dropUntil(20);
  expect(buffer.length).toBe(22);
  expect([...buffer.take()]).toEqual([...bytes.subarray(28)]);
  expect([buffer.length, buffer.take().length]).toEqual([0, 0]);
});

it('copies parts of two bytes into a few blocks', () => {
  const buffer = new TurnBuffer(null);
  const part = Buffer.alloc(2);
  const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');

  for (let count = 0; count < 450_000; count += 1) for (const _ of buffer.push(part));
  const allocated = allocate.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
  jest.restoreAllMocks();

  expect(buffer.milliseconds).toBe(28_125);
  expect(allocated).toBeLessThan(2 * 900_000);
});
