import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { findContradictions } from '../../../src/researcher/contradictions/find-contradictions.js';

it.each([
  ['another number', 'The tower of Orrin is 96 metres high.', 'The tower of Orrin is 69 metres high.', 'number'],
  ['a denial', 'The treaty was signed by the king.', 'The treaty was not signed by the king.', 'negation'],
  [
    'what is forbidden',
    'Hunting wild geese is allowed in the park.',
    'Hunting wild geese is prohibited in the park.',
    'negation',
  ],
  [
    'a German number',
    'Der Stausee fasst 202 Millionen Kubikmeter Wasser.',
    'Der Stausee fasst 220 Millionen Kubikmeter Wasser.',
    'number',
  ],
])('finds %s', async (_what, one, other, kind) => {
  const found = await contradictionsOf([one, other]);

  expect(found).toMatchObject([{ kind, sides: [{ statements: [{ text: one }] }, { statements: [{ text: other }] }] }]);
});

it.each([
  ['the same in another unit of writing', 'The tower of Orrin is 96 metres high.', 'The tower of Orrin is 96 m high.'],
  ['another year', 'In 2019 the town of Orrin had 500 inhabitants.', 'In 2021 the town of Orrin had 700 inhabitants.'],
  ['another name', 'The tower of Orrin is 96 metres high.', 'The tower of Tallow is 69 metres high.'],
  ['another thing', 'The tower of Orrin is 96 metres high.', 'The gate of Orrin has 12 columns of marble.'],
  ['a rough number', 'The bridge of Orrin is about 1,300 metres long.', 'The bridge of Orrin is 1,280 metres long.'],
  ['the opposite of another time', 'Prices of bread rose by 5 % in spring.', 'Prices of bread fell by 3 % in spring.'],
  ['a bound', 'The tank of the truck holds at least 300 litres.', 'The tank of the truck holds 450 litres.'],
])('finds none in %s', async (_what, one, other) => {
  expect(await contradictionsOf([one, other])).toEqual([]);
});

it('finds none where one source says both', async () => {
  const statements = ['The tower of Orrin is 96 metres high.', 'The tower of Orrin is 69 metres high.'];

  const found = await contradictionsOf(statements, [0.5, 0.5], ['a', 'a']);

  expect(found).toEqual([]);
});

it('weighs the sides by how far their sources are trusted, and counts a source once', async () => {
  const [high, low] = ['The tower of Orrin is 96 metres high.', 'The tower of Orrin is 69 metres high.'];

  const [found] = await contradictionsOf([low, high, high, high], [0.7, 0.5, 0.6, 0.6], ['a', 'b', 'c', 'c']);

  expect(found?.sides.map(({ weight, statements }) => [weight, statements.length])).toEqual([
    [0.8, 2],
    [0.7, 1],
  ]);
});

function contradictionsOf(
  texts: readonly string[],
  credibilities: readonly number[] = [0.9, 0.5],
  sources = ['a', 'b'],
) {
  const statements = texts.map((text, index) => ({
    text,
    sourceId: sources[index] ?? '',
    credibility: credibilities[index] ?? 0.5,
    language: text.startsWith('Der ') ? 'de' : 'en',
  }));
  return findContradictions(statements, new CooperativeYield());
}
