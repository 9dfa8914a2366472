import { describe, expect, it } from '@jest/globals';
import { ScanPace } from '../../src/sanitizer/scan-pace.js';

describe('how many characters are looked through at once', () => {
  it('become more while slices are fast, up to 32,768', () => {
    const pace = new ScanPace();
    const slices = [pace.firstSlice];
    for (let at = 0; at < 12; at += 1) slices.push(pace.next(slices[at] as number, 32_768, 1));

    expect(slices.slice(0, 4)).toEqual([16, 32, 64, 128]);
    expect(slices.at(-1)).toBe(32_768);
  });

  it('become fewer where a slice was slow, down to 16', () => {
    const pace = new ScanPace();

    expect([pace.next(64, 64, 5), pace.next(16, 16, 5)]).toEqual([32, 16]);
  });

  it('stay where a text was shorter than it might have been', () => {
    expect(new ScanPace().next(64, 63, 1)).toBe(64);
  });

  it('are known to the next call with the same rules, up to 2,048: its text may be a slow one', () => {
    const pace = new ScanPace();

    pace.next(512, 512, 1);
    const [known] = [pace.firstSlice];
    pace.next(16_384, 16_384, 1);

    expect([known, pace.firstSlice]).toEqual([1_024, 2_048]);
  });
});
