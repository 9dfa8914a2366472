import { expect, it } from '@jest/globals';
import { TurnBuffer } from '../../../src/echo/live/turn-buffer.js';
import { usedMemory } from '../../proof/probes/used-memory.js';

it('takes little more memory than its bytes, however small the parts are', () => {
  const buffer = new TurnBuffer(null);
  const part = Buffer.alloc(2);
  const before = usedMemory();

  for (let count = 0; count < 450_000; count += 1) for (const _ of buffer.push(part));

  const after = usedMemory();
  expect(buffer.milliseconds).toBe(28_125);
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(20 * 900_000);
});
