import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { RateCounter } from '../../src/platform/rate-counter.js';

const alone = { processes: () => 1 };
const step = fc.oneof(
  fc.record({ take: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ waitMs: fc.integer({ min: 0, max: 90_000 }) }),
);

describe('a rate counter', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is honest: waiting as long as it says is enough, and what remains never grows before that', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.array(step, { maxLength: 40 }),
      async (limit, steps) => {
        const counter = new RateCounter(randomUUID(), limit, alone);
        let windowEndsAt = 0;
        let remaining = limit;
        for (const each of steps) {
          if ('waitMs' in each) {
            await jest.advanceTimersByTimeAsync(each.waitMs);
            continue;
          }
          const count = await counter.take('usr_1', each.take);
          const now = Date.now();
          if (now < windowEndsAt) expect(count.remaining).toBeLessThanOrEqual(remaining);
          remaining = count.isRefused ? remaining : count.remaining;
          windowEndsAt = now + (count.resetSeconds - 1) * 1_000;
          expect(count.resetSeconds).toBeGreaterThanOrEqual(1);
          expect(count.resetSeconds).toBeLessThanOrEqual(60);
          if (!count.isRefused) continue;
          await jest.advanceTimersByTimeAsync(count.resetSeconds * 1_000);
          const retried = await counter.take('usr_1', each.take);
          expect(retried.isRefused).toBe(false);
          remaining = retried.remaining;
          windowEndsAt = Date.now() + (retried.resetSeconds - 1) * 1_000;
        }
      },
    );

    await fc.assert(property, { numRuns: 200 });
  });

  it('takes nothing for what it refuses', async () => {
    const counter = new RateCounter(randomUUID(), 10, alone);

    const counts = [await counter.take('usr_1', 8), await counter.take('usr_1', 3), await counter.take('usr_1', 2)];

    expect(counts.map(({ isRefused, remaining }) => [isRefused, remaining])).toEqual([
      [false, 2],
      [true, 0],
      [false, 0],
    ]);
  });

  it('gives back what was refused elsewhere', async () => {
    const counter = new RateCounter(randomUUID(), 2, alone);
    await counter.take('usr_1');
    await counter.take('usr_1');

    await counter.giveBack('usr_1');

    expect((await counter.take('usr_1')).isRefused).toBe(false);
    expect((await counter.take('usr_1')).isRefused).toBe(true);
  });
});
