import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MatchRule } from '../../../src/sanitizer/matching/match.types.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { ALL_KINDS, scanPieces } from '../../support/probes/matched-texts.js';

it.each([
  [[{ kind: 'ip' }, { kind: 'credit_card' }], ['xx my ref deface', ':4111111111111111'], '4111111111111111'],
  [[{ kind: 'ip' }, { kind: 'credit_card' }], ['commit deadbeef', ':4111111111111111', ' thanks'], '4111111111111111'],
  [[{ kind: 'ip' }, { kind: 'regex', pattern: '\\d{8}' }], ['z deface', ':123', '45678'], '12345678'],
  [[{ kind: 'phone', region: 'US' }], ['call 212-555-0143x', '45 now'], '212-555-0143'],
  [[{ kind: 'phone' }], ['call +1 212 555 0143x', '45 now'], '+1 212 555 0143'],
] as [MatchRule[], string[], string][])(
  'finds with the rules %j in the pieces %j what is in the whole',
  (rules, pieces, expected) => {
    const matcher = new TextMatcher(rules);

    const { text, matches } = scanPieces(matcher, pieces);

    expect(text).toBe(pieces.join(''));
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual([expected]);
  },
);

it('finds the same wherever a text is cut in two, with one or two of the kinds alone', () => {
  const pairs = ALL_KINDS.flatMap((one, at) =>
    ALL_KINDS.slice(at).map((other) => (other === one ? [one] : [one, other])),
  );
  const matchers = pairs.map((rules) => new TextMatcher(rules));
  const texts = fc.tuple(...PARTS.map((parts) => fc.constantFrom(...parts))).map((parts) => parts.join(''));

  fc.assert(
    fc.property(texts, (text) => {
      const problems = matchers.flatMap((matcher, pair) => findSplits(matcher, text).map((cut) => [cut, pairs[pair]]));

      expect(problems).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/** Answers where a text may not be cut. */
function findSplits(matcher: TextMatcher, text: string): number[] {
  const whole = JSON.stringify(scanPieces(matcher, [text]));
  return Array.from({ length: text.length }, (_, cut) => cut).filter(
    (cut) => JSON.stringify(scanPieces(matcher, [text.slice(0, cut), text.slice(cut)])) !== whole,
  );
}

/** What stands before a personal string, the string, and what follows: also what looks like a part of it. */
const PARTS = [
  ['deface', 'deadbeef', 'tel', 'GB', ''],
  [':', ' ', ''],
  ['4111111111111111', '212-555-0143', '+1 212 555 0143', '2001:db8::1', '12345678Z', 'jane@example.com'],
  ['', 'x45', '. '],
];
