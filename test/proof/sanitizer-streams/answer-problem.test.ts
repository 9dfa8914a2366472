import { expect, it } from '@jest/globals';
import { personalText } from '../../support/builders/personal-text.js';
import { findAnswerProblem } from './answer-problem.js';

const LEAK = 'to jane@example.com, thanks';

it('finds no problem in an answer with a mask in the place of the string', () => {
  const masked = personalText(LEAK, 'jane@example.com');
  const text = 'to [EMAIL], thanks';

  const problem = findAnswerProblem(
    { content: text, argument: text, all: '' },
    { content: text, argument: text, masked },
  );

  expect(problem).toBeUndefined();
});

it.each([LEAK, 'to j[EMAIL], thanks', 'to [EMAIL]com, thanks', 'to thanks'])(
  'reports %j, although that is what the rules make of the text',
  (text) => {
    const masked = personalText(LEAK, 'jane@example.com');

    const problem = findAnswerProblem(
      { content: text, argument: text, all: '' },
      { content: text, argument: text, masked },
    );

    expect(problem).toContain('content');
  },
);

it('reports an argument that lacks the string that is to be restored', () => {
  const expected = { content: LEAK, argument: 'to thanks', restored: 'jane@example.com' };

  const problem = findAnswerProblem({ content: LEAK, argument: 'to thanks', all: '' }, expected);

  expect(problem).toContain('argument');
});
