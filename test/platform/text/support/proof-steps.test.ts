import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { conceptsOf } from '../../../../src/platform/text/support/proof/concepts.js';
import { areLinkedAlike, linkedFigures } from '../../../../src/platform/text/support/proof/figure-links.js';
import { findGap } from '../../../../src/platform/text/support/proof/find-gap.js';
import { CountedTurns } from '../../../support/probes/counted-turns.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('reads the words of a statement once, however much is added to it by `and`', async () => {
  const said = wordsOf('alpha', 20).join(' ');
  const quoteOf = (added: number) =>
    `The ${said} ${wordsOf('beta', added)
      .map((word) => `and ${word}`)
      .join(' ')}.`;

  const [few, many] = [
    await comparisonsOf(`The ${said}.`, quoteOf(20)),
    await comparisonsOf(`The ${said}.`, quoteOf(80)),
  ];

  // Sixty words more, each compared with twenty a few times.
  expect(many - few).toBeLessThan(60 * 20 * 12);
});

describe('the figures of a sentence', () => {
  const concepts = conceptsOf('en');
  const words = wordsOf('alpha', 40);
  // Close to each other, so that each is said of the whole sentence.
  const figures = Array.from({ length: 40 }, (_, at) => `${at + 3} ${['km', 'kg', 'm'][at % 3]}`).join(' ');

  it('are linked with words that are read once for all of them', () => {
    const read = jest.spyOn(concepts, 'meaningOf');

    const linked = linkedFigures(`the ${figures} ${words.join(' ')}`, concepts);

    expect(linked).toHaveLength(40);
    expect(read.mock.calls.length).toBeLessThanOrEqual(words.length + 3);
  });

  it('are compared by words of which two are compared once', () => {
    const numbers = Array.from({ length: 40 }, (_, at) => at + 3).join(' ');
    const [linked = [], given = []] = [0, 1].map(() => linkedFigures(`the ${numbers} ${words.join(' ')}`, concepts));
    const compared = jest.spyOn(concepts, 'isSame');

    expect(areLinkedAlike(linked, given, concepts)).toBeUndefined();

    expect(compared.mock.calls.length).toBeLessThanOrEqual(words.length ** 2);
  });

  it('are linked with the words that stand around them', () => {
    const linked = linkedFigures('the bridge has 7 arches, and the tower has 9 rooms while 5 km lie behind', concepts);

    const told = linked?.map(({ words: { all, from, to } }) => all.slice(from, to).map(({ lower }) => lower));
    expect(told).toEqual([
      ['bridge', 'arches'],
      ['tower', 'rooms'],
      ['km', 'lie', 'behind'],
    ]);
  });

  it('are not linked where there are more than fifty', () => {
    const text = (count: number) => `the bridge has ${'7 '.repeat(count)}arches`;

    expect(linkedFigures(text(50), concepts)).toHaveLength(50);
    expect(linkedFigures(text(51), concepts)).toBeUndefined();
  });
});

it('does not read what is too long in compatible characters, of which one may stand for eighteen', async () => {
  const [short, long] = ['The old bridge has seven arches.', `The old bridge has seven arches ${'ﷺ'.repeat(200)}.`];

  expect(await findGap(long, [short], 'en', new CountedTurns())).toBe('too_long');
  expect(await comparisonsOf(short, long)).toBeLessThan(20);
});

/** How often words are read and compared while quotes are looked through. */
async function comparisonsOf(sentence: string, quote: string): Promise<number> {
  const concepts = conceptsOf('en');
  const [read, compared] = [jest.spyOn(concepts, 'meaningOf'), jest.spyOn(concepts, 'isSame')];
  await findGap(sentence, [quote], 'en', new CountedTurns());
  const count = read.mock.calls.length + compared.mock.calls.length;
  jest.restoreAllMocks();
  return count;
}

/** Words of letters alone that no other one begins with. */
function wordsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    return name + String.fromCharCode(97 + (at % 26)) + String.fromCharCode(97 + Math.floor(at / 26)) + 'k';
  });
}
