import { once } from 'node:events';
import { afterEach, expect, it, jest } from '@jest/globals';
import { RunLimits } from '../../../src/researcher/pipeline/run-limits.js';

it.each([
  ['goes on', 50_000, [50_000, 30_000]],
  ['is over', -1, [0, 0]],
  ['began before the clock was set back by 40 days', 40 * 86_400_000, [100_000, 80_000]],
  ['began before the clock was set back by 60 days', 60 * 86_400_000, [100_000, 80_000]],
])('has no more time than a session may take: one that %s', (_what, left, expected) => {
  jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
  const timeout = jest.spyOn(AbortSignal, 'timeout');

  const limits = new RunLimits(new AbortController().signal, 1_800_000_000_000 + left, 100);

  expect(timeout.mock.calls.map(([ms]) => ms)).toEqual(expected);
  expect(limits.working.aborted).toBe(false);
});

it('takes for the end of its time what that has caused, and nothing else', async () => {
  const limits = new RunLimits(new AbortController().signal, Date.now() - 1, 0);
  await once(limits.collecting, 'abort');
  const reason: unknown = limits.collecting.reason;
  const broken = new TypeError('undefined is not a function');

  expect(() => limits.absorb(broken)).toThrow(broken);
  expect(limits.usedUp).toBeUndefined();
  limits.absorb(new Error('The operation was aborted', { cause: reason }));
  expect(limits.usedUp).toBe('max_seconds');
});

afterEach(() => {
  jest.restoreAllMocks();
});
