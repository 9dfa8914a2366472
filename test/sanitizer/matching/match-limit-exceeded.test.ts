import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LONGEST_MATCH, MatchLimitExceeded } from '../../../src/sanitizer/matching/match-limit-exceeded.js';
import type { MatchRule } from '../../../src/sanitizer/matching/match.types.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { scanPieces } from '../../support/probes/matched-texts.js';

describe('a scan gives up', () => {
  it.each(longTexts())('on %s, in one piece and in many', (_what, rules, text) => {
    const matcher = new TextMatcher(rules);
    const inOnePiece = () => scanPieces(matcher, [text]);
    const inPieces = () => scanPieces(matcher, cut(text, [100]));

    expect(inOnePiece).toThrow(MatchLimitExceeded);
    expect(inPieces).toThrow(MatchLimitExceeded);
  });

  it.each([1, 100, 5_000])('on no match that is as long as it may be, in pieces of %i', (length) => {
    const text = `begin${'x'.repeat(LONGEST_MATCH - 8)}end`;

    const { matches } = scanPieces(new TextMatcher([regex('begin.*?end')]), cut(`${text}, `, [length]));

    expect(matches).toEqual([{ start: 0, end: LONGEST_MATCH, rules: [0] }]);
  });

  it('on the same texts, however they are cut', () => {
    const matcher = new TextMatcher([...PATTERNS.map(regex), { kind: 'words', words: ['q q'] }]);
    const parts = fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(1, 1, 2_047, 2_050, 4_094, 4_096, 4_097, 4_100));
    const texts = fc.array(parts, { maxLength: 6 }).map((list) => list.map(([part, length]) => fill(part, length)));

    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 500, max: 5_000 }), { minLength: 1 }), (list, lengths) => {
        const text = list.join('');

        expect(outcomeOf(matcher, cut(text, lengths))).toEqual(outcomeOf(matcher, [text]));
      }),
      { numRuns: 100 },
    );
  });

  it('on a candidate that invisible characters make longer than may be held back', () => {
    const scan = new TextMatcher([{ kind: 'email' }]).scan();
    const write = () => {
      for (let piece = 0; piece < 100; piece += 1) scan.write('\u200b'.repeat(100));
    };

    scan.write('jane');
    scan.write('@');

    expect(write).toThrow(MatchLimitExceeded);
  });

  it('on a pattern that looks ahead far from everywhere', () => {
    const scan = new TextMatcher([regex('a[^z]{0,999}z|a')]).scan();
    const write = () => scan.write('a'.repeat(100_000)) && scan.end();

    expect(write).toThrow(new MatchLimitExceeded('A pattern looks ahead too far too often.'));
  });
});

const PATTERNS = [
  'begin.*end',
  '[a-z]+_key=\\w+',
  'a[^z]*z|a',
  '[a-z]+@',
  'x{999}x{999}x{999}x{999}y{120}!',
  '\\bq\\w*\\b',
];
const PARTS = ['a', 'x', 'y', 'q ', 'q', '\n', ' ', 'é', 'begin', 'end', '_key=1', '@', 'z', '!'];

function longTexts(): [what: string, rules: MatchRule[], text: string][] {
  const long = 'x'.repeat(LONGEST_MATCH);
  return [
    ['a match that is too long', [regex('begin.*end')], `begin${long}end`],
    ['a candidate that is too long', [regex('begin.*end')], `begin${long}`],
    ['a candidate that waits for its literal', [regex('[a-z]+_key=\\w+')], `${long}x and more`],
    ['a match that looks for a longer one', [regex('a[^z]*z|a')], `a${long} and more`],
    ['matches that overlap', [{ kind: 'words', words: ['q q'] }], 'q '.repeat(LONGEST_MATCH)],
    ['a match with invisible characters', [{ kind: 'email' }], `jane@${'\u200b'.repeat(LONGEST_MATCH)}example.com`],
  ];
}

function regex(pattern: string): MatchRule {
  return { kind: 'regex', pattern };
}

function fill(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, Math.max(length, part.length));
}

/** Cuts a text into pieces of these lengths, again and again. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = lengths[pieces.length % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function outcomeOf(matcher: TextMatcher, pieces: readonly string[]): unknown {
  try {
    return scanPieces(matcher, pieces);
  } catch (error) {
    if (error instanceof MatchLimitExceeded) return 'gives up';
    throw error;
  }
}
