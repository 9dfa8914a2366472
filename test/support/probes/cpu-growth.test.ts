import { expect, it } from '@jest/globals';
import { cpuGrowth, IN_PROPORTION } from './cpu-growth.js';

it('a computation in proportion to its input grows less than one in square', async () => {
  const linear = await cpuGrowth(30_000_000, Number, steps);
  const square = await cpuGrowth(20_000, Number, (size) => steps(size ** 2));

  expect(linear).toBeLessThan(IN_PROPORTION);
  expect(square).toBeGreaterThan(IN_PROPORTION);
});

function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step += 1) sum = (sum + step) | 0;
  return sum;
}
