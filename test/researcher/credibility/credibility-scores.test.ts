import { describe, expect, it } from '@jest/globals';
import { CredibilityScores } from '../../../src/researcher/credibility/credibility-scores.js';
import { bySpecificity, fitsPattern, toDomainPattern } from '../../../src/researcher/credibility/domain-pattern.js';

describe('a pattern of hosts', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    [' *.example.com ', '*.example.com'],
    ['*', '*'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['_dmarc.example', '_dmarc.example'],
    ['192.0.2.*', '192.0.2.*'],
  ])('is stored as names are: %s', (text, expected) => {
    expect(toDomainPattern(text)).toBe(expected);
  });

  it.each([
    [''],
    ['.'],
    ['a..b'],
    ['https://example.com'],
    ['example.com/path'],
    ['example.com:80'],
    ['[::1]'],
    ['bü*.example'],
    ['*.*.*.*.*'],
    ['a b.example'],
    ['a\u0000.example'],
    ['x'.repeat(64)],
    [`${'a.'.repeat(126)}ab`],
    ['ü.'.repeat(100)],
  ])('is none: %s', (text) => {
    expect(toDomainPattern(text)).toBeUndefined();
  });

  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'www.example.com', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'badexample.com', false],
    ['*.gov.*', 'x.gov.example', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b*', 'xxbxxaxx', false],
    ['*ab', 'aab', true],
    ['*', 'anything.example', true],
  ])('%s fits %s: %s', (pattern, host, expected) => {
    expect(fitsPattern(pattern, host)).toBe(expected);
  });

  it('is the more specific the fewer hosts it can fit', () => {
    const patterns = ['*', '*.com', '*.example.com', 'docs.*.com', 'docs.example.com', '*docs*.com', 'a.com'];

    expect(patterns.toSorted(bySpecificity)).toEqual([
      'docs.example.com',
      'a.com',
      '*.example.com',
      'docs.*.com',
      '*docs*.com',
      '*.com',
      '*',
    ]);
  });
});

describe('credibility scores', () => {
  const scores = new CredibilityScores({
    rules: [
      { pattern: '*', score: 0.2 },
      { pattern: '*.example.com', score: 0.8 },
      { pattern: 'bad.example.com', score: 0.1 },
      { pattern: 'example.org', score: 0.9 },
    ],
    defaultScore: 0.5,
    minScore: 0.3,
  });

  it.each([
    ['docs.example.com', 0.8],
    ['bad.example.com', 0.1],
    ['bad.example.com.', 0.1],
    ['example.org', 0.9],
    ['www.example.org', 0.9],
    ['en.example.org', 0.2],
  ])('are those of the most specific pattern: %s', (host, score) => {
    expect(scores.scoreOf(host)).toBe(score);
  });

  it('are the default where no pattern fits', () => {
    expect(new CredibilityScores({ rules: [], defaultScore: 0.5, minScore: 0 }).scoreOf('a.test')).toBe(0.5);
  });
});
