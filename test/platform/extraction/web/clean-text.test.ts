import { expect, it } from '@jest/globals';
import { cleanText, cleanTextSteps } from '../../../../src/platform/extraction/web/clean-text.js';

it.each([
  ['what nobody sees', '\u200b\u0000'.repeat(125_000)],
  ['pairs at the ends of steps', `a${'\u{1f600}'.repeat(20_000)}`],
  ['half pairs', '\ud83d'.repeat(40_000)],
  ['tags, which are pairs', `a${'\u{e0041}b'.repeat(20_000)}`],
  ['nothing', ''],
])('a text is cleaned in short steps as it is at once: %s', (_, text) => {
  const steps = cleanTextSteps(text);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;

  expect(step.value).toBe(cleanText(text));
  expect(count).toBe(Math.ceil(text.length / 16_384));
});
