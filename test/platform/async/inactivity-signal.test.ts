import { once } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { InactivitySignal } from '../../../src/platform/async/inactivity-signal.js';

describe('the signal of inactivity', () => {
  it('is aborted when nothing has moved for a while', async () => {
    const inactivity = new InactivitySignal(10);
    // The timer alone keeps no process alive.
    const alive = setInterval(() => undefined, 1_000);

    await once(inactivity.signal, 'abort');
    clearInterval(alive);

    expect(inactivity.signal.aborted).toBe(true);
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
