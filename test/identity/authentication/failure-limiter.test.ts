import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Unauthorized } from '../../../src/errors.js';
import { FailureLimiter } from '../../../src/identity/authentication/failure-limiter.js';

describe('a limiter of failures', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('gives a success back to the window in which it began, and to no other', async () => {
    const limiter = new FailureLimiter(new RateLimiterMemory({ points: 5, duration: 1 }));
    const gate = Promise.withResolvers<void>();
    const fail = (): Promise<boolean> =>
      limiter
        .attempt('key', () => Promise.reject(new Unauthorized()))
        .then(
          () => false,
          (error: unknown) => error instanceof Unauthorized,
        );
    const successes = Array.from({ length: 5 }, () => limiter.attempt('key', () => gate.promise));
    await jest.advanceTimersByTimeAsync(1_050);
    const first = await fail();
    gate.resolve();
    await Promise.all(successes);

    const others = [];
    for (let tries = 0; tries < 10; tries += 1) others.push(await fail());

    expect([first, ...others].filter(Boolean)).toHaveLength(5);
  });

  it('counts no success within its window', async () => {
    const limiter = new FailureLimiter(new RateLimiterMemory({ points: 2, duration: 60 }));

    const results = [];
    for (let tries = 0; tries < 5; tries += 1) results.push(await limiter.attempt('key', async () => tries));

    expect(results).toEqual([0, 1, 2, 3, 4]);
  });
});
