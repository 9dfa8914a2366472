import { describe, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { permutationTest, signTest } from './paired-tests.js';

describe('the sign test', () => {
  it.each([
    [0, 0, 1],
    [5, 0, 1 / 32],
    [0, 5, 1],
    [8, 2, 56 / 1024],
    [2, 8, 1013 / 1024],
  ])('of %i pairs lost and %i won is the tail of the binomial distribution', (lost, won, expected) => {
    expect(signTest(lost, won)).toBeCloseTo(expected, 12);
  });
});

describe('the permutation test', () => {
  it.each([
    ['pairs without a difference', [0, 0, 0], 1],
    ['three pairs that are all worse', [-1, -0.5, -0.25], 1 / 8],
    ['three pairs that are all better', [1, 0.5, 0.25], 1],
    ['a large loss and two small gains', [-1, 0.25, 0.5], 4 / 8],
    ['a gain that makes up for a loss', [-0.1, 0, 0.1], 3 / 4],
  ])('of %s comes near the share of all ways to turn them round', (_what, differences, expected) => {
    expect(Math.abs(permutationTest(differences, new Random(7)) - expected)).toBeLessThan(0.01);
  });
});
