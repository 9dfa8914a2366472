import { expect, it } from '@jest/globals';
import { composeTransforms } from '../../../src/inference/calls/text-transform.js';
import type { TextTransform } from '../../../src/inference/calls/text-transform.js';

it('puts back in reverse order what several transforms have replaced', async () => {
  const both = composeTransforms([replacing('Ada', 'person'), replacing('person', '[P]')]);

  const read = await both?.transformPrompt('Ada and others', 'text');

  expect(read).toBe('[P] and others');
  expect(both?.placeholdersIn?.(read ?? '')).toEqual(['[P]']);
  expect(both?.restore?.('[P] came', () => true)).toBe('Ada came');
  expect(both?.restore?.('[P] came', () => false)).toBe('[P] came');
});

it('leaves a text to transforms that put nothing back', () => {
  const { transformPrompt, beginAnswer } = replacing('Ada', 'person');

  const both = composeTransforms([{ transformPrompt, beginAnswer }, replacing('person', '[P]')]);

  expect(both?.restore?.('[P] came', () => true)).toBe('person came');
});

function replacing(found: string, by: string): TextTransform {
  return {
    transformPrompt: (text) => text.replaceAll(found, by),
    beginAnswer: () => ({ write: (piece) => piece, end: () => '' }),
    placeholdersIn: (text) => (text.includes(by) ? [by] : []),
    restore: (text, isGiven) => (isGiven(by) ? text.replaceAll(by, found) : text),
  };
}
