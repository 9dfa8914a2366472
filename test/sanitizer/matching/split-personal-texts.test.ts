import { expect, it } from '@jest/globals';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { Random } from '../../crash/random.js';
import { PERSONAL_RULES } from '../../proof/sanitizer-matching/personal-strings.js';
import { makePersonalText } from '../../proof/sanitizer-matching/personal-texts.js';
import { scanPieces } from '../../support/probes/matched-texts.js';
import { findSplitProblem } from '../../proof/sanitizer-matching/split-problem.js';

it('finds personal strings whole wherever they are cut', () => {
  const matcher = new TextMatcher(PERSONAL_RULES);
  const random = new Random(14);

  const problems = Array.from({ length: 300 }, () => findSplitProblem(matcher, makePersonalText(random)));

  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});

it.each([
  ['TR', 'Room 12, 0 532 123 45 67 or 7 (0 532) 123 45 67 today'],
  ['RU', 'Order 12 8 (495) 123-45-67 and 8 495 123-45-67 today'],
  ['CN', '手机：13812345678，手机 138 12345678，订单 13812345678'],
])('finds the same in the region %s wherever a text is cut', (region, text) => {
  const matcher = new TextMatcher([{ kind: 'phone', region }]);
  const whole = scanPieces(matcher, [text]);

  const cut = Array.from(text, (_, at) => scanPieces(matcher, [text.slice(0, at), text.slice(at)]));

  expect(whole.matches).toHaveLength(2);
  expect(cut).toEqual(cut.map(() => whole));
});
