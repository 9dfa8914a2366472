import { describe, expect, it } from '@jest/globals';
import { decidingRule, maskOf } from '../../src/sanitizer/replacement.js';
import type { SanitizerAction } from '../../src/sanitizer/replacement.js';

describe('of the rules that have matched', () => {
  it.each<[SanitizerAction, SanitizerAction[]]>([
    ['block', ['pseudonymize', 'mask', 'block']],
    ['mask', ['mask', 'pseudonymize']],
    ['pseudonymize', ['pseudonymize', 'mask']],
  ])('%s decides where they are %j', (expected, actions) => {
    expect(decidingRule(actions.map((action) => ({ action }))).action).toBe(expected);
  });
});

describe('what stands in place of a masked text', () => {
  it('names its kind', () => {
    expect(maskOf('credit_card')).toBe('[CREDIT_CARD]');
  });
});
