import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { callAt } from '../../../src/platform/async/call-at.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const callback = jest.fn();

beforeEach(() => {
  callback.mockClear();
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

test.each([1, 1_000, 20 * DAY_MS, 365 * DAY_MS])('calls back once, %d ms later and not before', (delay) => {
  callAt(Date.now() + delay, callback);

  jest.advanceTimersByTime(delay - 1);
  expect(callback).not.toHaveBeenCalled();
  jest.advanceTimersByTime(DAY_MS);

  expect(callback).toHaveBeenCalledTimes(1);
});

test('calls back soon, but not at once, for a time that is over', () => {
  callAt(Date.now() - DAY_MS, callback);

  expect(callback).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);

  expect(callback).toHaveBeenCalledTimes(1);
});

test('waits on when the timer is early', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(10_000);
  callAt(10_100, callback);

  now.mockReturnValue(10_099);
  jest.advanceTimersByTime(100);
  expect(callback).not.toHaveBeenCalled();
  now.mockReturnValue(10_100);
  jest.advanceTimersByTime(1);

  expect(callback).toHaveBeenCalledTimes(1);
});

test('does not call back once it is cancelled, however far it has come', () => {
  const cancel = callAt(Date.now() + 60 * DAY_MS, callback);

  jest.advanceTimersByTime(50 * DAY_MS);
  cancel();
  jest.advanceTimersByTime(50 * DAY_MS);

  expect(callback).not.toHaveBeenCalled();
});
