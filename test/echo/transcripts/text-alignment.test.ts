import { describe, expect, it } from '@jest/globals';
import { alignText } from '../../../src/echo/transcripts/text-alignment.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

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

  it.each([
    ['signs within a word', (count: number) => `a${'!'.repeat(count)}b`],
    ['signs alone', (count: number) => '!'.repeat(count)],
    ['blanks within a word', (count: number) => `a${' '.repeat(count)}b`],
  ])('takes time in proportion to the length of %s', async (_, wordOf) => {
    const growth = await cpuGrowth(400_000, wordOf, (word) => alignText('hello there', [word, 'there']));

    expect(growth).toBeLessThan(IN_PROPORTION);
  });
});
