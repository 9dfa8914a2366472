import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { AUDIO_RATES } from '../../../src/platform/audio/audio-rates.js';
import { resampled } from '../../../src/platform/audio/resampled.js';
import { Resampler } from '../../../src/platform/audio/resampler.js';

/** Products of a sample and a factor that are computed without a pause, at most: less than a millisecond. */
const MOST_PRODUCTS = 300_000;
/** Zero crossings of the filter on both sides, as a share of its band. */
const CROSSINGS = 32 / 0.92;
const PAIRS = AUDIO_RATES.flatMap((from) => AUDIO_RATES.map((to) => [from, to] as const)).filter(([a, b]) => a !== b);

describe('samples at another rate', () => {
  it('are the same however many come at once', async () => {
    const samples = Buffer.from(Int16Array.from({ length: 48_000 }, (_, at) => 9_000 * Math.sin(at / 7)).buffer);
    const resampler = new Resampler(48_000, 24_000);
    const whole = Buffer.concat([resampler.push(samples), resampler.end()]);

    const parts = await collect(resampled(once(samples), 48_000, 24_000));

    expect(Buffer.concat(parts).equals(whole)).toBe(true);
  });

  it.each(PAIRS)(
    'are computed in small steps, with a turn of others behind each, from %d to %d Hz',
    async (from, to) => {
      const steps = jest.spyOn(Resampler.prototype, 'push');
      const turns = jest.spyOn(CooperativeYield.prototype, 'yield').mockResolvedValue();
      const second = Buffer.alloc(from * 2, 1);

      const parts = await collect(resampled(once(second), from, to));

      const taps = CROSSINGS * Math.max(1, from / to);
      const most = Math.max(...parts.map(({ length }) => (length / 2) * taps));
      expect(most).toBeLessThan(MOST_PRODUCTS);
      // The last step is the end of the filter.
      expect(turns).toHaveBeenCalledTimes(steps.mock.calls.length - 1);
      expect(Buffer.concat(parts).length / 2 / to).toBeCloseTo(1, 1);
    },
  );

  it('need a filter that is computed once', () => {
    new Resampler(44_100, 24_000);
    const computed = jest.spyOn(Math, 'sin');

    new Resampler(44_100, 24_000);

    expect(computed).not.toHaveBeenCalled();
  });

  it.each([4_000, 23_999, 191_999])('are not computed at a rate of %d Hz, whose filter may have any size', (rate) => {
    expect(() => new Resampler(rate, 24_000)).toThrow(RangeError);
    expect(() => new Resampler(24_000, rate)).toThrow(RangeError);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });
});

async function* once(piece: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(piece);
}

async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
