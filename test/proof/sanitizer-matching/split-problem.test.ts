import { expect, it } from '@jest/globals';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { personalText } from '../../support/builders/personal-text.js';
import { findSplitProblem } from './split-problem.js';

it('finds no problem where an address is found as it is', () => {
  const matcher = new TextMatcher([{ kind: 'email' }]);

  const problem = findSplitProblem(matcher, personalText('是 jane@example.com, thanks', 'jane@example.com'));

  expect(problem).toBeNull();
});

it.each([
  ['is found by a rule of another kind alone', '[a-z]+@[a-z.]+'],
  ['is not found', 'nothing'],
])('reports an address that %s', (_what, pattern) => {
  const matcher = new TextMatcher([{ kind: 'regex', pattern }]);

  const problem = findSplitProblem(matcher, personalText('to jane@example.com, thanks', 'jane@example.com'));

  expect(problem).toContain('is not found as it is');
});

it('reports a match that takes more than one character beside the string', () => {
  const matcher = new TextMatcher([{ kind: 'email' }, { kind: 'regex', pattern: 'to .*' }]);

  const problem = findSplitProblem(matcher, personalText('to jane@example.com', 'jane@example.com'));

  expect(problem).toContain('is not found as it is');
});
