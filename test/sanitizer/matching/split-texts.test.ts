import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MatchRule } from '../../../src/sanitizer/matching/match.types.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { ALL_KINDS, scanPieces } from '../../support/matched-texts.js';

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

it('finds the same wherever a text is cut in two, with any of the kinds alone', () => {
  const texts = fc.tuple(...PARTS.map((parts) => fc.constantFrom(...parts))).map((parts) => parts.join(''));

  fc.assert(
    fc.property(fc.subarray([...ALL_KINDS], { minLength: 1, maxLength: 2 }), texts, (rules, text) => {
      const matcher = new TextMatcher(rules);
      const whole = JSON.stringify(scanPieces(matcher, [text]));

      const cut = Array.from({ length: text.length }, (_, at) =>
        JSON.stringify(scanPieces(matcher, [text.slice(0, at), text.slice(at)])),
      );

      expect(cut.filter((found) => found !== whole)).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
});

/** What stands before a personal string, the string, and what follows: also what looks like a part of it. */
const PARTS = [
  ['', 'xx my ref '],
  ['deface', 'deadbeef', 'tel', 'GB', ''],
  [':', ' ', '-', ''],
  [
    '4111111111111111',
    '212-555-0143',
    '+1 212 555 0143',
    '030 12345678',
    '2001:db8::1',
    '12345678Z',
    'jane@example.com',
  ],
  ['', 'x45', ':', '. ', ' 12'],
];
