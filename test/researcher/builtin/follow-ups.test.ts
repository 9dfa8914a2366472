import { expect, it } from '@jest/globals';
import { followUpsOf } from '../../../src/researcher/builtin/follow-ups.js';

it('asks for the names that sources use, those of most sentences first', () => {
  const told = ['See MaxRequests.', 'MaxRequests and keep_alive matter.', 'The server waits.'];

  const questions = followUpsOf('How many requests does the server take?', told);

  expect(questions).toEqual(['MaxRequests requests does the server take', 'keep_alive requests does the server take']);
});

it.each([
  ['no name is told', 'How high is the tower?', ['The tower is high.']],
  ['the question has the name', 'What is MaxRequests?', ['MaxRequests is a setting.']],
  ['nothing is told', 'How high is the tower?', []],
])('asks nothing where %s', (_, question, told) => {
  expect(followUpsOf(question, told)).toEqual([]);
});
