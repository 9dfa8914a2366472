import { describe, expect, it } from '@jest/globals';
import { fitsGlob } from '../../../src/inference/models/glob.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

describe('a glob', () => {
  it.each([
    ['gpt-4', 'gpt-4', true],
    ['gpt-4', 'gpt-4o', false],
    ['gpt-4', 'xgpt-4', false],
    ['gpt-*', 'gpt-4o', true],
    ['gpt-*', 'gpt-', true],
    ['*', '', true],
    ['*', 'org/model:8b', true],
    ['*-exp', 'org/some-exp', true],
    ['*-exp', 'org/some-exp-2', false],
    ['org/*/8b', 'org/a/b/8b', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '', false],
    ['a*b*c', 'a-bb-b-c-c', true],
    ['a*b*c', 'a-c-b', false],
    ['**a**', 'cat', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j and %j: %s', (pattern, name, fits) => {
    expect(fitsGlob(pattern, name)).toBe(fits);
  });

  it('takes time in proportion to a name on which regular expressions backtrack without end', async () => {
    const pattern = `${'*a'.repeat(100)}b`;

    const growth = await cpuGrowth(
      100_000,
      (length) => 'a'.repeat(length),
      (name) => expect(fitsGlob(pattern, name)).toBe(false),
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });
});
