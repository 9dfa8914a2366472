import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';

it('leaves the event loop to others between the turns of all computations', async () => {
  const turns: string[] = [];
  const computations = ['a', 'b', 'c'].map((name) => compute(name, 4, turns));
  const all = Promise.all(computations).then(() => turns.push('done'));
  while (turns.at(-1) !== 'done') {
    turns.push('others');
    await setImmediate();
  }
  await all;

  const [first, ...later] = turns.join(' ').split(' others ');
  expect(first).toBe('a b c');
  // One at a time, each in its turn.
  expect(later.filter((turn) => turn !== 'others').join(' ')).toBe('a b c a b c a b c done');
});

it('gives up its turn where its signal is aborted, and leaves it to the others', async () => {
  const turns: string[] = [];
  const aborted = new CooperativeYield(AbortSignal.abort(new Error('gone'))).yield();
  const other = compute('other', 2, turns);

  await expect(aborted).rejects.toThrow('gone');
  await other;
  expect(turns).toEqual(['other', 'other']);
});

async function compute(name: string, count: number, turns: string[]): Promise<void> {
  const cooperation = new CooperativeYield();
  for (let turn = 0; turn < count; turn += 1) {
    turns.push(name);
    await cooperation.yield();
  }
}
