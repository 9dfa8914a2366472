import { describe, expect, it } from '@jest/globals';
import { readTime, toHits } from '../../../src/researcher/search/to-hits.js';
import type { ToldHit } from '../../../src/researcher/search/to-hits.js';

const HIT = { title: 'A page', url: 'https://example.com/', snippet: 'Text', engine: 'any', publishedAt: null };

describe('hits', () => {
  it.each([
    ['no list', 'text'],
    ['nothing', undefined],
    ['no objects', [1, 'x', null, []]],
    ['no URL', [{ ...HIT, url: 7 }]],
    ['an address of another kind', [{ ...HIT, url: 'file:///etc/passwd' }]],
  ])('are none where an answer has %s', (_what, results) => {
    expect(toHits(results, (result) => result as unknown as ToldHit)).toEqual([]);
  });

  it('are a hundred at most', () => {
    expect(toHits(Array(1_000).fill(HIT), () => HIT)).toHaveLength(100);
  });

  it('have texts that are cut, without control characters and half characters', () => {
    const told = { ...HIT, title: `a\u0000b\n${'x'.repeat(5_000)}`, snippet: `\ud800${'y'.repeat(5_000)}` };

    const [hit] = toHits([{}], () => told);

    expect([...(hit?.title ?? '')]).toHaveLength(300);
    expect(hit?.title).toMatch(/^a b x+$/);
    expect(hit?.snippet).toMatch(/^y{999,1000}$/);
  });

  it('have texts in which nothing is hidden, and that turn nothing round', () => {
    const hidden = 'Report \u202egnp.exe\u200b\u{e0041}\u2066';

    const [hit] = toHits([{}], () => ({ ...HIT, title: hidden, snippet: hidden, engine: hidden }));

    expect(hit).toMatchObject({ title: 'Report gnp.exe', snippet: 'Report gnp.exe', engine: 'Report gnp.exe' });
  });

  it('are called after their host where they have no title', () => {
    expect(toHits([{}], () => ({ ...HIT, title: ' ' }))).toEqual([{ ...HIT, title: 'example.com' }]);
  });
});

describe('a time that a provider tells', () => {
  it.each([
    ['2024-05-17', '2024-05-17T00:00:00.000Z'],
    ['2024-05-17T08:30:00', '2024-05-17T08:30:00.000Z'],
    ['2024-05-17 08:30', '2024-05-17T08:30:00.000Z'],
    ['2024-05-17T08:30:00.123456+02:00', '2024-05-17T06:30:00.123Z'],
    ['Fri, 17 May 2024 08:30:00 GMT', '2024-05-17T08:30:00.000Z'],
  ])('is read: %s', (text, expected) => {
    expect(readTime(text)?.toISOString()).toBe(expected);
  });

  it.each([
    [null],
    [1_700_000_000],
    ['yesterday'],
    ['May 17, 2024'],
    ['1874-05-17'],
    ['9999-01-01'],
    ['2024-13-40'],
    ['2024-05-17'.repeat(100)],
  ])('is none: %s', (text) => {
    expect(readTime(text)).toBeNull();
  });
});
