import { describe, expect, it } from '@jest/globals';
import { compareQuarters } from './report.js';
import type { Sample } from './sampler.js';

const SAMPLES = 120;

describe('the verdict of a soak', () => {
  it('takes what goes up and down for flat, and leaves the beginning out', () => {
    const samples = samplesOf((number) => ({
      residentMib: number < 20 ? 100 : 400 + 100 * (number % 2),
      descriptors: 50 + 30 * (number % 2),
    }));

    expect(flatness(samples, 20)).toEqual([true, true]);
  });

  it('sees what grows slowly', () => {
    const samples = samplesOf((number) => ({ residentMib: 300 + 2 * number, descriptors: 50 + number }));

    expect(flatness(samples, 20)).toEqual([false, false]);
  });

  it('judges no memory within minutes', () => {
    const samples = samplesOf((number) => ({ residentMib: 100 + 5 * number, descriptors: 50 }));

    expect(flatness(samples, 1)).toEqual([true, true]);
  });

  it('does without a process that did not serve', () => {
    const samples = samplesOf(() => ({ residentMib: 300, descriptors: 50 }));
    const withGap = samples.map((sample, number) =>
      number % 3 === 0 ? { ...sample, processes: [undefined] } : sample,
    );

    expect(flatness(withGap, 20)).toEqual([true, true]);
  });
});

/** What one process has at each time. */
function samplesOf(figures: (number: number) => { residentMib: number; descriptors: number }): Sample[] {
  return Array.from({ length: SAMPLES }, (_, number) => ({
    seconds: number * 10,
    processes: [{ ...figures(number), medianMs: 1, longestMs: 2 }],
    whole: 1,
    failed: 0,
    loadDelayMs: 0,
  }));
}

function flatness(samples: readonly Sample[], minutes: number): boolean[] {
  return compareQuarters(samples, ['server-1'], minutes).map(({ isFlat }) => isFlat);
}
