import { expect, it } from '@jest/globals';
import { fuseRankings } from '../../../src/knowledge/search/rank-fusion.js';

const ranking = (...ids: string[]) => ids.map((id, place) => ({ id, score: -place }));

it('gives 1 to what is first in all rankings, and puts what both have before what one has', () => {
  const fused = fuseRankings([ranking('a', 'b', 'c'), ranking('a', 'd', 'c')]);

  expect(fused.map(({ id }) => id)).toEqual(['a', 'c', 'b', 'd']);
  expect(fused[0]?.score).toBeCloseTo(1, 12);
});

it.each([
  [
    [1, 1 / 3],
    ['a', 'b', 'c', 'd'],
  ],
  [
    [1 / 3, 1],
    ['c', 'd', 'a', 'b'],
  ],
])('lets rankings count by their weights: %j', (weights, expected) => {
  const fused = fuseRankings([ranking('a', 'b'), ranking('c', 'd')], weights);

  expect(fused.map(({ id }) => id)).toEqual(expected);
});

it('gives 1 to what is first in all rankings, whatever they weigh', () => {
  const [first] = fuseRankings([ranking('a'), ranking('a')], [1, 1 / 3]);

  expect(first?.score).toBeCloseTo(1, 12);
});
