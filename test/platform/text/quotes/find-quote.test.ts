import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findQuote } from '../../../../src/platform/text/quotes/find-quote.js';
import { cpuGrowth, IN_PROPORTION } from '../../../support/probes/cpu-growth.js';

describe('a quote', () => {
  it.each([
    ['as it is', 'The rent is due.', 'rent is due'],
    ['in other case', 'The RENT is due in der Straße.', 'the rent is due in der STRASSE'],
    ['with other white space', 'The rent\n  is\u00a0due.', 'Therent is due'],
    ['with other dashes', 'due — soon, 2019–2020', 'due - soon, 2019-2020'],
    ['with other quote marks', 'the “rent” isn’t due', `the "rent" isn't due`],
    ['with soft hyphens and invisible characters', 're\u00adnt\u200b is\u2060 due', 'rent is due'],
    ['with ligatures', 'the oﬃce ﬁle', 'the office file'],
    ['over the end of a line', 'the agree-\nment is well-\nknown', 'the agreement is well-known'],
    ['with full-width and circled characters', 'Ｒｅｎｔ ① ½', 'rent 1 1/2'],
    ['with accents of its own', 'Cafe\u0301 a\u0323\u0307', 'café a\u0307\u0323'],
    ['with digits of another script', 'room ٣٤', 'room 34'],
    ['with a raised digit', '12 m² and 10²', '12 m2 and 10^2'],
    ['in a script without spaces', '契約は\n 五月に終わる。', '五月に終わる'],
    ['in syllables that are written in parts', '한국어 문장'.normalize('NFD'), '한국어 문장'],
  ])('is found %s', (_what, passage, quote) => {
    const found = findQuote(`Before: ${passage}; behind`, `“${quote}”`);

    expect(found).toBeDefined();
  });

  it.each([
    ['a word', 'This is illegal.', 'legal'],
    ['a hyphenated word', 'This is il-\nlegal.', 'legal'],
    ['a longer number', 'It costs 1000 euros.', 'It costs 100'],
    ['a number in groups', 'It costs 1,000 euros.', 'It costs 1'],
    ['the end of a number', 'It costs 1.500 euros.', '500 euros'],
    ['a number with spaces', 'It costs 1 000 euros.', 'It costs 1'],
    ['a number below zero', 'at −5 °C', '5 °C'],
    ['a power', 'about 10² units', 'about 10'],
    ['a letter with an accent', 'the café', 'the cafe'],
    ['a syllable', '가각', '가가'],
    ['digits that stand apart', 'columns 5 10', '510'],
    ['other words', 'The rent is due.', 'The rent was due.'],
    ['nothing', 'The rent.', ' “” '],
    ['more than there is', 'The', 'The rent'],
  ])('is not found in %s', (_what, passage, quote) => {
    const found = findQuote(passage, quote);

    expect(found).toBeUndefined();
  });

  it('is found at the first place where it stands as a whole word', () => {
    const passage = 'illegal, paralegal, legal, legal';

    const found = findQuote(passage, 'Legal');

    expect(found).toEqual({ start: 20, end: 25 });
  });

  it('is not found where it is too short', () => {
    const found = [findQuote('The rent is due.', 'is due', 6), findQuote('The rent is due.', 'is due', 5)];

    expect(found).toEqual([undefined, { start: 9, end: 15 }]);
  });

  it('is found at its own place, however its words are written there', () => {
    const word = fc.constantFrom(
      'rent',
      'Straße',
      'ﬁle',
      'e\u0301t\u00e9',
      '契約',
      '😀',
      '12',
      '1,5',
      'm²',
      '“',
      '—',
      'agree-\nment',
      '½',
    );
    const gap = fc.constantFrom(' ', '\n', '\u00a0', '  ', ' \u200b');

    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { minLength: 1 }), fc.nat(), fc.nat(), (words, from, to) => {
        const passage = words.map((pair) => pair.join('')).join('');
        const [first, last] = [from % words.length, to % words.length].sort((a, b) => a - b) as [number, number];
        const quoted = words.slice(first, last + 1);
        const quote = quoted.map(([text]) => text.normalize('NFKC').toUpperCase()).join(' ');
        fc.pre(/[\p{L}]/u.test(quote));

        const found = findQuote(passage, quote);

        // It may stand in another place before, but then that reads the same.
        expect(found && readable(passage.slice(found.start, found.end))).toBe(found && readable(quote));
        if (!/\d/.test(quote)) expect(found).toBeDefined();
      }),
    );
  });

  it('is found between any texts, with exact places', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, behind) => {
        const passage = `${before}\n(the rent is due)\n${behind}`;
        fc.pre(!/rent/i.test(before));

        const found = findQuote(passage, 'THE RENT IS DUE');

        expect(found && passage.slice(found.start, found.end)).toBe('the rent is due');
      }),
    );
  });

  it.each<[string, (count: number) => [passage: string, quote: string]]>([
    ['a letter, and a quote that ends in another', (n) => ['a'.repeat(2 * n), `${'a'.repeat(n)}b`]],
    ['a letter, and a quote that begins with another', (n) => ['a'.repeat(2 * n), `b${'a'.repeat(n)}`]],
    ['words of one letter', (n) => ['a '.repeat(n), 'aaa']],
    ['numbers', (n) => ['1 '.repeat(n), '1 1 2']],
    ['spaces', (n) => [' '.repeat(2 * n), ' x']],
    ['accents', (n) => [`a${'\u0316\u0301'.repeat(n)}`, 'a']],
    ['soft hyphens', (n) => [`a${'\u00ad'.repeat(2 * n)}b`, 'c']],
  ])('is looked for in time in proportion to a text that repeats itself: %s', async (_what, textsOf) => {
    const growth = await cpuGrowth(200_000, textsOf, ([passage, quote]) => findQuote(passage, quote));

    expect(growth).toBeLessThan(IN_PROPORTION);
  });
});

/** What a reader sees, without spaces, dashes and quote marks. */
function readable(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\u200b“"—\u2014-]/g, '');
}
