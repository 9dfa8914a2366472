import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRule } from '../../../src/sanitizer/matching/invalid-rule.js';
import type { MatchRule } from '../../../src/sanitizer/matching/match.types.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { ALL_KINDS, scanPieces } from '../../support/probes/matched-texts.js';

describe('a matcher', () => {
  it.each([
    [{ kind: 'regex', pattern: 'a(' }, 'pattern'],
    [{ kind: 'regex', pattern: '(?=a)' }, 'pattern'],
    [{ kind: 'regex', pattern: '(a)\\1' }, 'pattern'],
    [{ kind: 'regex', pattern: '' }, 'pattern'],
    [{ kind: 'regex', pattern: 'a'.repeat(1_001) }, 'pattern'],
    [{ kind: 'regex' }, 'pattern'],
    [{ kind: 'email', pattern: 'a' }, 'pattern'],
    [{ kind: 'words', words: [] }, 'words'],
    [{ kind: 'words', words: ['\u200b'] }, 'words'],
    [{ kind: 'words', words: ['a'.repeat(201)] }, 'words'],
    [{ kind: 'words', words: Array.from({ length: 1_001 }, () => 'a') }, 'words'],
    [{ kind: 'phone', region: 'XX' }, 'region'],
    [{ kind: 'ip', region: 'DE' }, 'region'],
    [{ kind: 'shoe_size' as 'ip' }, 'kind'],
  ] as const)('refuses the rule %j for its %s', (rule: MatchRule, field) => {
    const make = () => new TextMatcher([{ kind: 'email' }, rule]);

    expect(make).toThrow(InvalidRule);
    expect(make).toThrow(expect.objectContaining({ rule: 1, field }));
  });

  it.each(['\u200b', '   ', '', 'a'.repeat(201)])('says which word is wrong where one is %j', (word) => {
    const make = () => new TextMatcher([{ kind: 'words', words: ['right', word] }]);

    expect(make).toThrow(expect.objectContaining({ rule: 0, field: 'words', item: 1 }));
  });

  it('makes one match of those that overlap, with all their rules in order', () => {
    const matcher = new TextMatcher([{ kind: 'words', words: ['example'] }, { kind: 'email' }, { kind: 'email' }]);

    const { matches } = scanPieces(matcher, ['to jane@example.com, example']);

    expect(matches).toEqual([
      { start: 3, end: 19, rules: [0, 1, 2] },
      { start: 21, end: 28, rules: [0] },
    ]);
  });

  it('never divides a reference or a character of the original', () => {
    const matcher = new TextMatcher([{ kind: 'words', words: ['i', '9'] }]);
    const text = 'ﬁ 𝟗 &#105; \\u0069';

    const { matches } = scanPieces(matcher, [text]);

    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(['𝟗', '&#105;', '\\u0069']);
  });

  it('is used by many scans at once', () => {
    const matcher = new TextMatcher([{ kind: 'email' }]);
    const [one, other] = [matcher.scan(), matcher.scan()];

    const matches = [one.write('jane@ex'), other.write('joe '), one.write('ample.com '), other.write('@example.com')];

    expect(matches.map((scanned) => scanned.matches.length)).toEqual([0, 0, 1, 0]);
  });
});

describe('a scan', () => {
  it('allocates no memory for threads until its patterns match, however many instructions they have', () => {
    const patterns = Array.from({ length: 20 }, (_, at) => ({ kind: 'regex', pattern: `[a-z]{${900 + at}}` }) as const);
    const original = Int32Array;
    let made = 0;
    const counted = new Proxy(original, {
      construct: (target, args) => {
        made += 1;
        return Reflect.construct(target, args) as Int32Array;
      },
    });
    globalThis.Int32Array = counted;

    const matcher = new TextMatcher(patterns);
    const ofMatcher = made;
    const scans = Array.from({ length: 500 }, () => matcher.scan());
    const ofScans = made - ofMatcher;
    globalThis.Int32Array = original;

    expect(scans).toHaveLength(500);
    expect(ofMatcher).toBeGreaterThan(0);
    expect(ofScans).toBe(0);
  });

  it('lets words with a space behind them through at once', () => {
    const scan = new TextMatcher(ALL_KINDS).scan();
    const pieces = [
      'Please ',
      'send ',
      'it ',
      'to ',
      'the ',
      'office ',
      'in ',
      'Berlin ',
      'before ',
      'noon, ',
      'thanks! ',
    ];

    const released = pieces.map((piece) => scan.write(piece).text);

    expect(released).toEqual(pieces);
  });

  it('holds no more back than the longest candidate of the builtin kinds', () => {
    const scan = new TextMatcher(ALL_KINDS).scan();
    let written = 0;
    let released = 0;
    let most = 0;

    for (const unit of [
      ...'1 '.repeat(400),
      ...'a.'.repeat(400),
      ...`a@${'b.'.repeat(400)}`,
      ...'1-'.repeat(400),
      ...':a'.repeat(400),
    ]) {
      written += unit.length;
      released += scan.write(unit).text.length;
      most = Math.max(most, written - released);
    }

    expect(most).toBeLessThanOrEqual(320);
  });

  it('finds the same in any pieces', () => {
    // What one rule holds back hides what another lets through too early.
    const ruleSets = fc.subarray(RULES, { minLength: 1 });
    const texts = fc.array(fc.constantFrom(...fragments()), { maxLength: 25 }).map((parts) => parts.join(''));

    fc.assert(
      fc.property(ruleSets, texts, fc.array(fc.nat(200)), (rules, text, cuts) => {
        const matcher = new TextMatcher(rules);
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));

        const units = Array.from({ length: text.length }, (_, at) => text.charAt(at));

        const whole = scanPieces(matcher, [text]);

        expect(whole.text).toBe(text);
        expect(scanPieces(matcher, pieces)).toEqual(whole);
        expect(scanPieces(matcher, units)).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });
});

const RULES: MatchRule[] = [
  ...ALL_KINDS,
  { kind: 'words', words: ['secret plan', 'art', '東京'] },
  { kind: 'regex', pattern: 'EMP-\\d{4,6}\\b' },
  { kind: 'regex', pattern: '[a-z]+_key=\\w+' },
];

function fragments(): string[] {
  return [
    'facade',
    'deadbeef:',
    'card:4111111111111111',
    '4111111111111111',
    '212-555-0143',
    '+1 212 555 0143',
    'x',
    'x45',
    'john',
    '.',
    '@',
    'example',
    'com',
    'co.uk',
    ' ',
    '4111',
    '1111',
    '1',
    '2',
    '0',
    '+',
    '+49',
    '00',
    '30',
    '212',
    '555',
    '-',
    '(',
    ')',
    '/',
    '&#64;',
    '&commat;',
    '&#x',
    '\\u0040',
    '\\u00',
    '\\',
    '&',
    '%40',
    '%',
    '\u200b',
    '４',
    '１',
    '＠',
    'DE89',
    'DE',
    'AB',
    '12',
    'RSSMRA',
    '85T10A562S',
    'X',
    'Z',
    ':',
    '::',
    '2001:db8',
    'fe80',
    '1.2.3.4',
    '10.0.0.1',
    '...',
    '.5',
    '10:',
    'secret',
    ' plan',
    'art',
    '東',
    '京',
    'EMP-',
    '1234',
    'api_key=',
    '\n',
    'é',
    'ﬁ',
    '😀',
    '𝟏',
    '\ud83d',
    'tel ',
    '456',
    '36574261809',
    '2 95 10 99',
    ' 126 111 93',
    'GB82',
    'WEST',
    '1234 5698 7654 32',
    '_',
    '"',
  ];
}
