import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { contradictsCopy } from '../../../src/researcher/contradictions/contradicting-copy.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

const PAGE =
  'Large objects of the archive take up to 4 TB of space. They are kept in one table. The table cannot be moved by its owner.';

it.each([
  ['itself', PAGE, false],
  ['another number', PAGE.replace('4 TB', '8 TB'), true],
  ['no negation', PAGE.replace('cannot', 'can'), true],
  ['another sentence', `${PAGE} Their owner may delete them.`, false],
  ['another day of a visit', `${PAGE} This page was visited on 3 May 2024.`, false],
])('tells whether a copy with %s contradicts a page', async (_, copy, expected) => {
  const page = `${PAGE} This page was visited on 9 June 2025.`;

  const isContradicted = await contradictsCopy(page, copy, 'en', new CooperativeYield());

  expect(isContradicted).toBe(expected);
});

it('ends with its signal', async () => {
  const gone = new CooperativeYield(AbortSignal.abort(new Error('gone')));

  await expect(contradictsCopy('It was so. '.repeat(50_000), 'No.', 'en', gone)).rejects.toThrow('gone');
});

it('lets others have their turn between all sentences that it reads and compares', async () => {
  const turns = new CountedTurns();
  const [count, compared] = [50, 30];
  const textOf = (name: string) =>
    Array.from({ length: count }, (_, at) => `The ${name} ${at} is ${'very '.repeat(190)}old.`).join(' ');

  expect(await contradictsCopy(textOf('bridge'), textOf('tower'), 'en', turns)).toBe(false);

  // Each is read; those that are compared are made into statements one by one, and compared pair by pair.
  expect(turns.count).toBeGreaterThanOrEqual(2 * count + 2 * compared + compared * compared);
  expect(turns.count).toBeLessThan(2 * count + 2 * 35 + 35 * 35);
});

it.each([
  ['fifty numbers', `The old bridge has NUMBER arches of stone, ${'3 '.repeat(50)}years old.`],
  ['two thousand units of compatible characters', `The old bridge has NUMBER arches ${'ﷺ'.repeat(120)} of stone.`],
])('compares no sentence with more than %s', async (_, sentence) => {
  const [one, other] = ['7', '8'].map((number) => sentence.replace('NUMBER', number)) as [string, string];

  expect(await contradictsCopy(one, other, 'en', new CooperativeYield())).toBe(false);
  expect(await contradictsCopy(shorter(one), shorter(other), 'en', new CooperativeYield())).toBe(true);
});

it('compares as much of two texts as their compatible characters allow', async () => {
  const turns = new CountedTurns();
  const [count, compared] = [60, 30];
  const textOf = (name: string) =>
    Array.from({ length: count }, (_, at) => `The ${name} ${at} is ${'ﷺ'.repeat(60)} old.`).join('\n\n');

  expect(await contradictsCopy(textOf('bridge'), textOf('tower'), 'en', turns)).toBe(false);

  expect(turns.count).toBeLessThan(2 * count + 2 * compared + compared * compared);
});

/** A sentence of the same form that is compared. */
function shorter(sentence: string): string {
  return sentence.replace('3 ', '').replace('ﷺ'.repeat(20), '');
}
