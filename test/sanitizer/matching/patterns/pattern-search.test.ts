import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { TextMatcher } from '../../../../src/sanitizer/matching/text-matcher.js';
import { findMatched, scanPieces } from '../../../support/probes/matched-texts.js';

it.each(patterns())('finds what the library finds for %s, however a text is cut', (pattern) => {
  const matcher = new TextMatcher([{ kind: 'regex', pattern }]);
  const compiled = RE2JS.compile(pattern);
  const parts = fc.array(fc.constantFrom('a', 'b', 'ab', 'x', ' ', '\n', '1', '23', 'foo', 'bar', '-', 'é', '😀', 'K'));

  fc.assert(
    fc.property(parts, fc.array(fc.integer({ min: 1, max: 6 })), (pieces, lengths) => {
      const text = pieces.join('');
      const { matches, text: released } = scanPieces(matcher, cut(text, lengths));

      expect(released).toBe(text);
      expect(matches.map(({ start, end }) => [start, end])).toEqual(findAll(compiled, text));
    }),
    { numRuns: 150 },
  );
});

it('finds a pattern that is written with other characters for the same', () => {
  const matched = findMatched([{ kind: 'regex', pattern: 'N[º°]–[０-９]+' }], 'Nº-12 N°—３４');

  expect(matched).toEqual(['Nº-12', 'N°—３４']);
});

it.each(['𐐨bcd', '𐐀BCD'])('finds a pattern in any case in %s, whose first letter has two UTF-16 units', (text) => {
  const matched = findMatched([{ kind: 'regex', pattern: '(?i)𐐀bcd' }], `x ${text} y`);

  expect(matched).toEqual([text]);
});

it('lets a match through as soon as nothing can change it', () => {
  const scan = new TextMatcher([{ kind: 'regex', pattern: 'EMP-\\d{4}' }]).scan();

  const released = ['an E', 'MP', '-12', '34', '5'].map((piece) => scan.write(piece).text);

  expect(released).toEqual(['an ', '', '', 'EMP-1234', '5']);
});

function patterns(): string[] {
  return [
    'ab',
    'a+b',
    'a*',
    'a*?b',
    'a|ab|b',
    '(?:ab|a)(?:b|x)?',
    'x?y?',
    '^a',
    'a$',
    '(?m)^a|b$',
    '\\bfoo\\b',
    'foo\\B',
    '\\d{2}',
    'foo.*bar',
    'foo.*?bar',
    '(?s)foo.*bar',
    '[a-z]+-',
    '[^a]+',
    'é|😀.',
    '(?i)k|FOO',
    '\\b',
    'a[^x]*x|a',
    '.',
    '\\W+\\d',
    '[a-z]{2,3}-\\d',
    '(?:foo|bar)+',
    '\\d+(?:-\\d+)*',
    'x\\z',
    '\\Aa',
    'foo bar',
    '(?i)bar ?1',
  ];
}

function findAll(compiled: RE2JS, text: string): [number, number][] {
  const matcher = compiled.matcher(text);
  const found: [number, number][] = [];
  while (matcher.find()) if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
  return found;
}

function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}
