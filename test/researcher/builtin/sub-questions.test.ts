import { expect, it } from '@jest/globals';
import { subQuestionsOf } from '../../../src/researcher/builtin/sub-questions.js';

it.each([
  ['What is autovacuum?', ['What is autovacuum?', 'autovacuum limits and exceptions']],
  [
    'How does streaming replication work and what are its limits?',
    [
      'How does streaming replication work and what are its limits?',
      'How does streaming replication work',
      'what are its limits',
      'streaming replication steps',
    ],
  ],
  ['Difference between VACUUM and ANALYZE', ['Difference between VACUUM and ANALYZE', 'VACUUM', 'ANALYZE']],
  ['Wie hoch ist der Turm?', ['Wie hoch ist der Turm?', 'Turm Anzahl']],
])('asks %j in parts and by its kind', (question, expected) => {
  const questions = subQuestionsOf(question);

  expect(questions).toEqual(expect.arrayContaining(expected));
  expect(questions[0]).toBe(question);
});

it.each(['', ' ?! ', '\n'])('asks nothing of %j', (question) => {
  expect(subQuestionsOf(question)).toEqual([]);
});

it('asks at most six questions, however many are in one, each once', () => {
  const questions = subQuestionsOf('What is A? what is B? what is C? '.repeat(1_000));

  expect(questions.length).toBeLessThanOrEqual(6);
  expect(new Set(questions.map((one) => one.toLowerCase())).size).toBe(questions.length);
});
