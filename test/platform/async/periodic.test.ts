import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { repeat } from '../../../src/platform/async/periodic.js';

describe('a periodic task', () => {
  let logged: string[];
  let log: pino.Logger;

  beforeEach(() => {
    jest.useFakeTimers();
    logged = [];
    log = pino({ base: undefined }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  });
  afterEach(() => void jest.useRealTimers());

  it('runs after each interval, and no more once it is stopped', async () => {
    let runs = 0;
    const task = repeat('counting', 1_000, log, async () => void (runs += 1));

    await jest.advanceTimersByTimeAsync(3_500);
    await task.stop();
    await jest.advanceTimersByTimeAsync(5_000);

    expect(runs).toBe(3);
  });

  it('runs soon after the start, however long its interval is', async () => {
    let runs = 0;
    const task = repeat('tidying once a day', 24 * 3_600_000, log, async () => void (runs += 1));

    await jest.advanceTimersByTimeAsync(61_000);
    const soon = runs;
    await jest.advanceTimersByTimeAsync(23 * 3_600_000);
    await task.stop();

    expect([soon, runs]).toEqual([1, 1]);
  });

  it('waits for a slow run before the next one, and before it is stopped', async () => {
    let running = 0;
    let most = 0;
    const task = repeat('dawdling', 10, log, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      running -= 1;
    });
    await jest.advanceTimersByTimeAsync(2_500);

    const stopped = task.stop().then(() => running);
    await jest.advanceTimersByTimeAsync(1_000);

    expect(most).toBe(1);
    expect(await stopped).toBe(0);
  });

  it('goes on after failures, and logs their beginning and their end', async () => {
    let runs = 0;
    const task = repeat('polling', 1_000, log, async () => {
      runs += 1;
      if (runs > 1 && runs < 5) throw new Error('no database');
    });

    await jest.advanceTimersByTimeAsync(6_500);

    expect(runs).toBe(6);
    expect(logged).toEqual(['polling failed, and is tried again', 'polling works again']);
    await task.stop();
  });
});
