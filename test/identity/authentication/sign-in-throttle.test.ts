import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Forbidden, RateLimited, Unauthorized, Unavailable } from '../../../src/errors.js';
import type { AttemptCounters } from '../../../src/identity/authentication/attempt-limiters.js';
import { SignInThrottle } from '../../../src/identity/authentication/sign-in-throttle.js';

describe('the sign-in throttle', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('refuses an account after ten failures, from whatever address', async () => {
    const throttle = new SignInThrottle(inMemory);

    const answers = await statuses(times(12, (index) => throttle.attempt('a@b.test', `10.0.0.${index}`, fail)));

    expect(answers).toEqual([...times(10, () => 401), 429, 429]);
  });

  it('refuses an address after thirty failures, for whatever account', async () => {
    const throttle = new SignInThrottle(inMemory);

    const answers = await statuses(times(31, (index) => throttle.attempt(`${index}@b.test`, '10.0.0.1', fail)));

    expect(answers.slice(29)).toEqual([401, 429]);
    expect(await throttle.attempt('31@b.test', '10.0.0.2', succeed)).toBe('welcome');
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const throttle = new SignInThrottle(inMemory);

    await statuses(times(30, (index) => throttle.attempt(`${index}@b.test`, `2001:db8::${index}`, fail)));

    await expect(throttle.attempt('x@b.test', '2001:db8:0:0:ffff::1', succeed)).rejects.toThrow(RateLimited);
    expect(await throttle.attempt('x@b.test', '2001:db8:0:1::1', succeed)).toBe('welcome');
  });

  it.each([
    ['an IPv4 address', '192.0.2.7', ['::ffff:192.0.2.7', '::FFFF:192.0.2.7', '::ffff:c000:207']],
    ['an IPv6 network', '2001:DB8::a', ['2001:db8:0:0::b', '2001:0db8:0000:0000:1:2:3:4', '2001:db8::ffff:1.2.3.4']],
  ])('knows %s in every form', async (_what, address, others) => {
    const throttle = new SignInThrottle(inMemory);

    await statuses(times(30, (index) => throttle.attempt(`${index}@b.test`, address, fail)));

    expect(await statuses(others.map((other) => throttle.attempt('x@b.test', other, succeed)))).toEqual(
      others.map(() => 429),
    );
  });

  it('counts only failures', async () => {
    const throttle = new SignInThrottle(inMemory);
    const others = [succeed, () => Promise.reject(new Unavailable('no'))];

    for (const run of others) await statuses(times(40, () => throttle.attempt('a@b.test', '10.0.0.1', run)));

    expect(await throttle.attempt('a@b.test', '10.0.0.1', succeed)).toBe('welcome');
  });

  it('counts whoever has the password of an account that is not confirmed: it may be a stranger’s', async () => {
    const throttle = new SignInThrottle(inMemory);
    const forbidden = () => Promise.reject(new Forbidden('no'));

    const answers = await statuses(times(12, () => throttle.attempt('a@b.test', '10.0.0.1', forbidden)));

    expect(answers).toEqual([...times(10, () => 403), 429, 429]);
  });

  it('lets any number of right attempts through at the same time', async () => {
    const throttle = new SignInThrottle(inMemory);
    const slow = () => new Promise((resolve) => setImmediate(resolve));

    const answers = await statuses(times(50, () => throttle.attempt('a@b.test', '10.0.0.1', slow)));

    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('lets no more than ten wrong attempts through at the same time', async () => {
    const throttle = new SignInThrottle(inMemory);
    let run = 0;
    const slow = async () => {
      run += 1;
      await new Promise((resolve) => setImmediate(resolve));
      throw new Unauthorized();
    };

    await statuses(times(50, () => throttle.attempt('a@b.test', '10.0.0.1', slow)));

    expect(run).toBe(10);
  });

  it('works again after exactly the time that it names', async () => {
    const throttle = new SignInThrottle(inMemory);
    await statuses(times(10, () => throttle.attempt('a@b.test', '10.0.0.1', fail)));
    jest.advanceTimersByTime(1_500);

    const refusal = await throttle.attempt('a@b.test', '10.0.0.1', succeed).catch((error: unknown) => error);

    expect(refusal).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '899',
        'x-ratelimit-limit-requests': '10',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '899',
      },
    });
    jest.advanceTimersByTime(899_000);
    expect(await throttle.attempt('a@b.test', '10.0.0.1', succeed)).toBe('welcome');
  });
});

const inMemory: AttemptCounters = ({ name, attempts, windowSeconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points: attempts, duration: windowSeconds });

function fail() {
  return Promise.reject(new Unauthorized());
}

function succeed() {
  return Promise.resolve('welcome');
}

/** How each of several attempts at the same time ended. */
async function statuses(attempts: Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => (one.status === 'fulfilled' ? 200 : one.reason.status));
}

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
