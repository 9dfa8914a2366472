import { describe, expect, it } from '@jest/globals';
import { alignText } from '../../../src/echo/transcripts/text-alignment.js';
import { cpuSecondsOf } from '../../support/probes/cpu-seconds.js';

describe('alignText', () => {
  it('leaves signs that a word begins with to it', () => {
    const words = ['card', 'is', '[CREDIT_CARD]', '<NAME_1>'];

    expect(alignText('card is [CREDIT_CARD] <NAME_1>', words)).toEqual(['card ', 'is ', '[CREDIT_CARD] ', '<NAME_1>']);
  });

  it('finds words without the punctuation around them, in any script', () => {
    const words = ['«Hello»', '(𝒲orld!)', '12…', '你好', '--'];

    expect(alignText('«Hello», (𝒲orld!) 12… 你好吗 --', words)).toEqual([
      '«Hello», ',
      '(𝒲orld!) ',
      '12… ',
      '你好吗 --',
      '',
    ]);
  });

  // A time that grows with the square of the length is several minutes for these.
  it.each([
    ['signs within a word', `a${'!'.repeat(400_000)}b`],
    ['signs alone', '!'.repeat(400_000)],
    ['blanks within a word', `a${' '.repeat(400_000)}b`],
  ])('takes a time that grows with the length of %s', (_, word) => {
    expect(cpuSecondsOf(() => alignText('hello there', [word, 'there']))).toBeLessThan(5);
  });
});
