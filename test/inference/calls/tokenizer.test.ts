import { describe, expect, it } from '@jest/globals';
import { countTokens, takeTokens } from '../../../src/inference/calls/tokenizer.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

describe('the tokenizer', () => {
  it('counts the tokens of cl100k_base', async () => {
    expect(await countTokens([])).toBe(0);
    expect(await countTokens(['', 'hello world'])).toBe(2);
    expect(await countTokens(['The quick brown fox', ' jumps over the lazy dog.'])).toBe(10);
  });

  it('counts a long text as it counts its sentences', async () => {
    const sentence = ' The quick brown fox jumps over the lazy dog.';

    expect(await countTokens([sentence.repeat(1_000)])).toBe(10_000);
  });

  it('takes what looks like a control token for text', async () => {
    expect(await countTokens(['<|endoftext|>'])).toBeGreaterThan(1);
  });

  it.each([
    ['a', 200_000],
    [' ', 200_000],
    ['😀', 50_000],
  ])('takes time in proportion to a long run of %j', async (character, count) => {
    const growth = await cpuGrowth(
      count,
      (length) => character.repeat(length),
      (text) => countTokens([text]),
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it('takes so many tokens from a text, as whole characters', async () => {
    const text = `${' The quick brown fox jumps over the lazy dog.'.repeat(40)} 😀😀😀`;

    expect(await takeTokens(text, 5)).toEqual({ text: ' The quick brown fox jumps', tokens: 5 });
    expect(await takeTokens(text, 395)).toEqual({
      text: text.slice(0, 45 * 39) + ' The quick brown fox jumps',
      tokens: 395,
    });
    expect((await takeTokens('😀😀', 1)).text).not.toContain('\uFFFD');
    expect(await takeTokens(text, Number.POSITIVE_INFINITY)).toEqual({ text, tokens: await countTokens([text]) });
  });
});
