import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRankedBase } from './ranked-base.js';
import type { RankedBase } from './ranked-base.js';

let base: RankedBase;
beforeAll(async () => {
  base = await openRankedBase();
});
afterAll(() => base.close());

it('prefers a rare word to a common one that comes often', async () => {
  const [first] = await base.find('Which report was for the zebra?');

  expect(first).toBe('rare.txt');
});

it('prefers the shorter of two passages with a word, and the one that has it more often', async () => {
  const [giraffes, lemurs] = [await base.find('giraffe'), await base.find('lemur')];

  expect(giraffes).toEqual(['short.txt', 'long.txt']);
  expect(lemurs).toEqual(['often.txt', 'once.txt']);
});

it.each(["O'Neill", 'C:\\temp\\it\'s "', "\\'; zebra | & ! <-> :* ( o'neill"])(
  'takes the signs of a query as text: %s',
  async (query) => {
    expect(await base.find(query)).toContain('path.txt');
  },
);

it('finds nothing for words that say nothing', async () => {
  expect(await base.find('is it the one that was of the')).toEqual([]);
});

it('looks for the first words of a long text', async () => {
  const text = `Tell me about zebras. ${Array.from({ length: 900 }, (_, number) => `word${number}`).join(' ')} lemurs`;

  expect(await base.find(text)).toEqual(['rare.txt']);
});
