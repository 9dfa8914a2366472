import type { Random } from '../../crash/random.js';

const PERMUTATIONS = 100_000;

/**
 * McNemar's exact test, one-sided: how likely it is to lose so many pairs or more by chance where both are as good.
 * @param lost pairs that only the other one got right
 * @param won pairs that only this one got right; those that both or none got right tell nothing
 */
export function signTest(lost: number, won: number): number {
  const pairs = lost + won;
  let likely = 0;
  let term = 0.5 ** pairs;
  // From no pair lost to all of them: the binomial distribution of fair coins.
  for (let count = 0; count <= pairs; count += 1) {
    if (count >= lost) likely += term;
    term *= (pairs - count) / (count + 1);
  }
  return Math.min(1, likely);
}

/**
 * A paired permutation test, one-sided: how often the differences have so low a sum or a lower one where each may as well
 * be the other way round, of 100,000 random ways.
 * @param differences of pairs, below 0 where this one is worse
 */
export function permutationTest(differences: readonly number[], random: Random): number {
  const seen = differences.reduce((sum, difference) => sum + difference, 0);
  const changing = differences.filter((difference) => difference !== 0);
  let asLow = 0;
  for (let round = 0; round < PERMUTATIONS; round += 1) {
    let sum = 0;
    for (const difference of changing) sum += random.next() < 0.5 ? difference : -difference;
    // Equal sums differ by rounding.
    if (sum <= seen + 1e-9) asLow += 1;
  }
  return (asLow + 1) / (PERMUTATIONS + 1);
}
