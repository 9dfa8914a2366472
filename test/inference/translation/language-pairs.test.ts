import { expect, it } from '@jest/globals';
import { LanguagePairs } from '../../../src/inference/translation/language-pairs.js';

it('holds which language is translated into which, and none into itself', () => {
  const pairs = LanguagePairs.from([
    ['en', ['de', 'fr', 'en']],
    ['de', ['en']],
    ['fr', ['fr']],
  ]);

  expect(shown(pairs)).toEqual(['de en', 'en de', 'en fr']);
  expect(pairs.size).toBe(3);
  expect([...pairs.sources()].sort()).toEqual(['de', 'en']);
  expect([...pairs.targets()].sort()).toEqual(['de', 'en', 'fr']);
  expect([...pairs.targetsOf('en')].sort()).toEqual(['de', 'fr']);
  expect([pairs.has('en', 'fr'), pairs.has('fr', 'en'), pairs.has('en', 'en')]).toEqual([true, false, false]);
  expect([pairs.has(undefined, 'fr'), pairs.has(undefined, 'sv')]).toEqual([true, false]);
});

it('is translated into by a language only where another one has it', () => {
  const pairs = LanguagePairs.from([['en', ['de']]]);

  expect([...pairs.targets()]).toEqual(['de']);
  expect(pairs.has(undefined, 'en')).toBe(false);
});

it('counts the same targets once, and leaves out the languages that have more than fit', () => {
  const codes = Array.from({ length: 100 }, (_, index) => `x${index}`);
  let cuts = 0;
  const read = (rows: [string, string[]][]) => LanguagePairs.from(rows, 150, () => (cuts += 1));

  // Some tell of a language that it is translated into itself, and others do not.
  const mesh = read(codes.map((code, index) => [code, index % 2 ? codes : codes.filter((other) => other !== code)]));
  const cutsOfMesh = cuts;
  const apart = read(codes.map((code, index) => [code, codes.slice(index)]));

  expect([mesh.size, cutsOfMesh]).toEqual([9_900, 0]);
  expect(cuts).toBe(1);
  expect([...apart].length).toBe(apart.size);
  expect(apart.size).toBeLessThan(150);
});

it('has the pairs of two engines, each once', () => {
  const [one, same] = [LanguagePairs.from([['en', ['de', 'fr']]]), LanguagePairs.from([['en', ['fr', 'de']]])];
  const other = LanguagePairs.from([
    ['en', ['fr', 'es']],
    ['es', ['en']],
  ]);

  const both = one.with(other).with(same);

  expect(one.with(same).size).toBe(2);
  expect(shown(both)).toEqual(['en de', 'en es', 'en fr', 'es en']);
  expect(both.has('en', 'de') && both.has('es', 'en')).toBe(true);
  expect([...both.targetsOf('en')].sort()).toEqual(['de', 'es', 'fr', 'fr']);
});

function shown(pairs: LanguagePairs): string[] {
  return [...pairs].map(({ source, target }) => `${source} ${target}`).sort();
}
