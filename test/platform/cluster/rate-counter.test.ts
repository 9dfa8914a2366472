import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { RateCounter } from '../../../src/platform/cluster/rate-counter.js';
import type { SharedCounting, Consumption } from '../../../src/platform/cluster/rate-counter.js';
import { eventually } from '../../support/probes/eventually.js';
import { REDIS_URL } from '../../support/servers/services.js';
import { RedisConnections } from '../../support/servers/redis-connections.js';

const WINDOW_SECONDS = 2;
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

  it('gives back what was refused elsewhere, once', async () => {
    const counter = new RateCounter(randomUUID(), 2, alone);
    const first = await counter.take('usr_1');
    await counter.take('usr_1');

    await first.refund();
    await first.refund();

    expect((await counter.take('usr_1')).isRefused).toBe(false);
    expect((await counter.take('usr_1')).isRefused).toBe(true);
  });

  it('gives back all but what is used', async () => {
    const counter = new RateCounter(randomUUID(), 10, alone);
    const taken = await counter.take('usr_1', 8);

    await taken.refund(3);

    expect((await counter.take('usr_1')).remaining).toBe(6);
  });
});

const connections = new RedisConnections();

describe.each(places())('what a rate counter has taken %s', (_place, sharingOf, isClockOfTest) => {
  beforeEach(() => void (isClockOfTest && jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] })));
  afterEach(() => connections.closeAll());
  afterEach(() => void jest.useRealTimers());

  it('goes back to its own window and to no other', async () => {
    const counter = new RateCounter(randomUUID(), 10, await sharingOf(), WINDOW_SECONDS);
    const before = await taken(counter, 10);
    await untilWindowEnds(counter);
    const after = await taken(counter, 5);

    await Promise.all([...before, ...before].map((count) => count.refund()));
    const rest = await taken(counter, 20);

    expect([...before, ...after].filter(({ isRefused }) => isRefused)).toEqual([]);
    expect(rest.filter(({ isRefused }) => !isRefused)).toHaveLength(5);
  });

  it('does not begin a window, nor what was refused', async () => {
    const counter = new RateCounter(randomUUID(), 10, await sharingOf(), WINDOW_SECONDS);
    const before = await taken(counter, 15);
    await untilWindowEnds(counter);

    await Promise.all(before.map((count) => count.refund()));
    const after = await taken(counter, 20);

    expect(before.filter(({ isRefused }) => !isRefused)).toHaveLength(10);
    expect(after.filter(({ isRefused }) => !isRefused)).toHaveLength(10);
  });

  it('goes back within its window', async () => {
    const counter = new RateCounter(randomUUID(), 10, await sharingOf(), 5);
    const before = await taken(counter, 10);

    await Promise.all(before.slice(0, 4).map((count) => count.refund()));
    const after = await taken(counter, 10);

    expect(after.filter(({ isRefused }) => !isRefused)).toHaveLength(4);
  });

  /** Waits until the window is over that began before. */
  async function untilWindowEnds(counter: RateCounter): Promise<void> {
    if (isClockOfTest) return jest.advanceTimersByTimeAsync(WINDOW_SECONDS * 1_000 + 50).then(() => undefined);
    await counter.take('usr_2', 10);
    await eventually('a later window is over', 20, async () => !(await counter.take('usr_2')).isRefused);
  }

  function taken(counter: RateCounter, times: number): Promise<Consumption[]> {
    return Promise.all(Array.from({ length: times }, () => counter.take('usr_1')));
  }
});

/** Where a counter counts. */
function places(): [place: string, sharing: () => Promise<SharedCounting>, isClockOfTest: boolean][] {
  const all: ReturnType<typeof places> = [
    ['in memory', async () => alone, true],
    ['in memory while Redis is away', async () => ({ ...alone, redis: connections.open('redis://127.0.0.1:1') }), true],
  ];
  if (!REDIS_URL) return all;
  return [...all, ['in Redis', async () => ({ ...alone, redis: await connections.openReady(REDIS_URL ?? '') }), false]];
}
