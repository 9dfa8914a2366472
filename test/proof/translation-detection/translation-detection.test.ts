import { expect, it } from '@jest/globals';
import { detectAll } from './detection-trial.js';
import { findProblems } from './translation-detection.js';

it('tells the language of sentences and short texts in 25 languages, and none of junk', async () => {
  const detected = await detectAll();

  expect(detected).toHaveLength(25 * 20 + 60);
  expect(findProblems(detected)).toEqual([]);
});

it('does not hold where a wrong language is told of junk', async () => {
  const detected = await detectAll();

  const problems = findProblems(detected.map((text) => ({ ...text, told: text.told ?? 'en' })));

  expect(problems).toHaveLength(4);
});
