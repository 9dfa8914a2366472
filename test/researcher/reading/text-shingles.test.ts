import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { areSameText, shinglesOf } from '../../../src/researcher/reading/text-shingles.js';

const read = (text: string) => new CooperativeYield().finish(shinglesOf(text));
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

it.each([
  ['nothing', '', 0],
  ['marks alone', '– … –', 0],
  ['fewer words than a run has', 'One two three', 1],
  ['one word over a run', 'one two three four five six', 2],
  ['a run that is told twice', 'a b c d e a b c d e', 5],
  ['words over many slices', numbered(5_000), 4_996],
])('has each run once: %s', async (_what, text, runs) => {
  expect(await read(text)).toHaveLength(runs);
});

it('makes no difference of case, width, marks and line breaks', async () => {
  const one = await read('The ﬁrst bridge, of Kessel:\nbuilt in 1911.');
  const other = await read('the first BRIDGE of kessel – built in １９１１');

  expect(areSameText(one, other)).toBe(true);
});

it('lets others have their turn while it reads', () => {
  const steps = [...shinglesOf('\ufdfa'.repeat(250_000))];

  expect(steps.length).toBeGreaterThan(50);
});
