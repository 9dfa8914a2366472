import { describe, expect, it } from '@jest/globals';
import { cutQuery } from '../../../src/researcher/search/key-terms.js';

describe('a query', () => {
  it('stays as it is where it is short enough, with single spaces', () => {
    expect(cutQuery('  What is\n the default\tport? ', { characters: 40, words: 10 })).toBe(
      'What is the default port?',
    );
  });

  it.each([
    [
      'stop words and repetitions',
      'What is the default port of the server, and what is the default user of the server?',
      'default port server user',
    ],
    [
      'German stop words',
      'Wie lange ist die Frist für die Kündigung, und wie lange ist die Frist für den Widerspruch?',
      'Frist Kündigung Widerspruch',
    ],
  ])('loses %s first', (_what, query, expected) => {
    expect(cutQuery(query, { characters: 60, words: 6 })).toBe(expected);
  });

  it('keeps names and words with digits longest, in their order', () => {
    const query = 'please explain thoroughly how pg_hba.conf in PostgreSQL 15 authenticates connections from Berlin';

    expect(cutQuery(query, { characters: 400, words: 4 })).toBe('pg_hba.conf PostgreSQL 15 Berlin');
  });

  it.each([
    ['many words', Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')],
    ['one word', 'x'.repeat(1_000)],
    ['a script without spaces', 'データベースの接続設定を変更する方法。'.repeat(40)],
    ['surrogate pairs', '😀'.repeat(500)],
    ['signs alone', '?! '.repeat(300)],
  ])('is never longer than allowed, nor empty, with %s', (_what, query) => {
    const cut = cutQuery(query, { characters: 399, words: 50 });

    expect(cut.length).toBeGreaterThan(0);
    expect(cut.length).toBeLessThanOrEqual(399);
    expect(cut.split(' ').length).toBeLessThanOrEqual(50);
    expect(cut.isWellFormed()).toBe(true);
  });
});
