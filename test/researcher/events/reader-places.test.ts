import { describe, expect, it } from '@jest/globals';
import { ReaderPlaces } from '../../../src/researcher/events/reader-places.js';

describe('places of readers', () => {
  it('are no more than may be, also where many asked before one was taken', () => {
    const places = new ReaderPlaces();
    for (let count = 0; count < 300; count += 1) places.require('ann');

    const taken = Array.from({ length: 200 }, () => places.take('ann'));

    expect(() => places.take('ann')).toThrow('At most 200');
    expect(() => places.take('ben')).not.toThrow();
    taken[0]?.();
    expect(() => places.take('ann')).not.toThrow();
  });
});
