import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextMatcher } from '../../../../src/sanitizer/matching/text-matcher.js';
import { findMatched, scanPieces } from '../../../support/probes/matched-texts.js';

it.each([
  ['secret', 'a SECRET, Secret!', ['SECRET', 'Secret']],
  ['secret', 'secrets secretary topsecret secret1 ésecret', []],
  ['secret', 'foo_secret_bar', ['secret']],
  ['Müller', 'MÜLLER and müller', ['MÜLLER', 'müller']],
  ['café müller', 'CAFE\u0301 MU\u0308LLER', ['CAFE\u0301 MU\u0308LLER']],
  ['cafe\u0301', 'a café', ['café']],
  ['cafe', 'a cafe\u0301', []],
  ['서울', '서울'.normalize('NFD'), ['서울'.normalize('NFD')]],
  ['ΣΟΦΟΣ', 'σοφος σοφοσ', ['σοφος', 'σοφοσ']],
  ['Project Apollo', 'project\napollo', ['project\napollo']],
  ['Project Apollo', 'a project \t\r\n apollo', ['project \t\r\n apollo']],
  ['a b c', 'a  a   b\r\nc  c', ['a   b\r\nc']],
  ['a b', `a${' '.repeat(16)}b a${' '.repeat(17)}b`, [`a${' '.repeat(16)}b`]],
  ['東京', '私は東京都に', ['東京']],
  ['김철수', '김철수는 간다', ['김철수']],
  ['c++', 'C++ c+++ xc++', ['C++', 'c++']],
  ['–', 'a - b', ['-']],
  // Letters that have two UTF-16 units have their own case alone.
  ['𐐨𐐩', '𐐨𐐩 𐐀𐐁', ['𐐨𐐩']],
])('finds the word %s in %j', (word, text, expected) => {
  const matched = findMatched([{ kind: 'words', words: [word] }], text);

  expect(matched).toEqual(expected);
});

it('finds a word with an accent that comes in the next piece', () => {
  const matcher = new TextMatcher([{ kind: 'words', words: ['café'] }]);

  const { matches } = scanPieces(matcher, ['a cafe', '\u0301 here']);

  expect(matches).toEqual([{ start: 2, end: 7, rules: [0] }]);
});

it('finds words that are within and behind each other', () => {
  const matched = findMatched([{ kind: 'words', words: ['b c', 'a b', 'c', 'd'] }], 'a b c d');

  expect(matched).toEqual(['a b c', 'd']);
});

it('finds the same words however a text with many spaces is cut', () => {
  const matcher = new TextMatcher([{ kind: 'words', words: ['a b c', 'b a'] }]);
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'x', ' ', '\r\n', '  ', ' '.repeat(15)), { maxLength: 30 });

  fc.assert(
    fc.property(texts, (pieces) => {
      expect(scanPieces(matcher, pieces).matches).toEqual(scanPieces(matcher, [pieces.join('')]).matches);
    }),
    { numRuns: 500 },
  );
});

it('lets through at once what begins no word', () => {
  const scan = new TextMatcher([{ kind: 'words', words: ['secret plan'] }]).scan();

  const released = ['It is no ', 'se', 'at, sec', 'ret ', 'party. nose'].map((piece) => scan.write(piece).text);

  expect(released).toEqual(['It is no ', '', 'seat, ', '', 'secret party. nose']);
});

it('finds what a plain search finds in a list that is larger than its table', () => {
  const letters = Array.from({ length: 3_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const words = letters.map(
    (letter, index) => `${letter}${letters[(index * 7 + 1) % 3_000]}${letters[(index * 3) % 3_000]}`,
  );
  const matcher = new TextMatcher([
    { kind: 'words', words: words.slice(0, 1_000) },
    { kind: 'words', words: words.slice(1_000, 2_000) },
  ]);

  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words.slice(0, 2_000).flatMap((word) => [word, word.slice(1)]))),
      (parts) => {
        const text = parts.join('的');
        const { matches } = scanPieces(matcher, [text]);
        const covered = matches.map(({ start, end }) => text.slice(start, end)).join('');

        expect(words.slice(0, 2_000).every((word) => !text.includes(word) || covered.includes(word))).toBe(true);
        expect(matches.length > 0).toBe(words.slice(0, 2_000).some((word) => text.includes(word)));
      },
    ),
    { numRuns: 30 },
  );
});
