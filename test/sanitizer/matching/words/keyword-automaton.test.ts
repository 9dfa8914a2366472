import { expect, it } from '@jest/globals';
import { KeywordAutomaton } from '../../../../src/sanitizer/matching/words/keyword-automaton.js';

it.each([
  ['a\nb', 'a\nb', [3]],
  ['a\nb', 'a b', [3]],
  ['a b', 'a\tb', [3]],
  ['a\nb', 'axb a-b', []],
])('finds %j in %j: a space, a tab and the end of a line are one, and nothing else is', (keyword, text, expected) => {
  const automaton = new KeywordAutomaton([keyword]);
  const ends: number[] = [];

  automaton.scan(text, 0, (_keyword, end) => ends.push(end));

  expect(ends).toEqual(expected);
});
