import { describe, expect, it } from '@jest/globals';
import { Unavailable } from '../../../src/errors.js';
import { KeptValues } from '../../../src/identity/sso/kept-values.js';

const MINUTE = 60_000;

describe('a value that is kept', () => {
  it('is loaded once in ten minutes, by those who ask at the same time together', async () => {
    const { clock, loads, values } = setUp();
    const first = await Promise.all([values.get('a', loads.next), values.get('a', loads.next)]);
    clock.now += 9 * MINUTE;
    const later = await values.get('a', loads.next);
    clock.now += 2 * MINUTE;
    const last = await values.get('a', loads.next);

    expect([...first, later, last].map(({ number }) => number)).toEqual([1, 1, 1, 2]);
  });

  it('is loaded again where it is doubted, but every ten seconds at most', async () => {
    const { clock, loads, values } = setUp();
    await values.get('a', loads.next);
    clock.now += 9_000;
    const early = await values.get('a', loads.next, true);
    clock.now += 2_000;
    const late = await values.get('a', loads.next, true);
    const again = await values.get('a', loads.next, true);

    expect([early, late, again].map(({ number }) => number)).toEqual([1, 2, 2]);
  });

  it('goes on for an hour where it cannot be loaded again, which is tried every ten seconds at most', async () => {
    const { clock, loads, values } = setUp();
    await values.get('a', loads.next);
    loads.fail = true;
    clock.now += 11 * MINUTE;
    const old = [await values.get('a', loads.next), await values.get('a', loads.next)];
    clock.now += 50 * MINUTE;

    expect(old.map(({ number }) => number)).toEqual([1, 1]);
    await expect(values.get('a', loads.next)).rejects.toThrow('away');
    expect(loads.count).toBe(3);
  });

  it('that could not be loaded is asked for again after ten seconds, and is unavailable until then', async () => {
    const { clock, loads, values } = setUp();
    loads.fail = true;
    await expect(values.get('a', loads.next)).rejects.toThrow('away');
    await expect(values.get('a', loads.next)).rejects.toBeInstanceOf(Unavailable);
    loads.fail = false;
    clock.now += 11_000;

    expect(await values.get('a', loads.next)).toEqual({ number: 2 });
  });

  it('is forgotten where too many others are asked for', async () => {
    const { loads, values } = setUp();
    for (const key of ['a', 'b', 'c', 'a']) await values.get(key, loads.next);

    expect(loads.count).toBe(4);
  });
});

/** Two values, a clock that stands still, and loads that are counted. */
function setUp() {
  const clock = { now: 1_000_000 };
  const loads = {
    count: 0,
    fail: false,
    next: async (): Promise<{ number: number }> => {
      loads.count += 1;
      if (loads.fail) throw new Error('away');
      return { number: loads.count };
    },
  };
  return { clock, loads, values: new KeptValues<{ number: number }>(2, () => clock.now) };
}
