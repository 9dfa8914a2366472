import { describe, expect, it, jest } from '@jest/globals';
import { InactivitySignal } from '../../../src/platform/async/inactivity-signal.js';

describe('the signal of inactivity', () => {
  it('is aborted when nothing has moved for a while', () => {
    jest.useFakeTimers();
    const inactivity = new InactivitySignal(10);

    jest.advanceTimersByTime(9);
    const before = inactivity.signal.aborted;
    jest.advanceTimersByTime(1);
    jest.useRealTimers();

    expect([before, inactivity.signal.aborted]).toEqual([false, true]);
  });

  it('is not aborted while something moves, nor after its end', () => {
    jest.useFakeTimers();
    const inactivity = new InactivitySignal(100);

    for (let n = 0; n < 10; n += 1) {
      jest.advanceTimersByTime(60);
      inactivity.touch();
    }
    inactivity.close();
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();

    expect(inactivity.signal.aborted).toBe(false);
  });
});
