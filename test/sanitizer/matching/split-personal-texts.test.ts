import { expect, it } from '@jest/globals';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { Random } from '../../crash/random.js';
import { PERSONAL_RULES } from '../../proof/sanitizer-matching/personal-strings.js';
import { makePersonalText } from '../../proof/sanitizer-matching/personal-texts.js';
import { findSplitProblem } from '../../proof/sanitizer-matching/split-problem.js';

it('finds personal strings whole wherever they are cut', () => {
  const matcher = new TextMatcher(PERSONAL_RULES);
  const random = new Random(14);

  const problems = Array.from({ length: 300 }, () => findSplitProblem(matcher, makePersonalText(random)));

  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});
