import { describe, expect, it } from '@jest/globals';
import { answersOf, longestAnswerOf, promptBytes } from '../../src/inference/prompt.js';

describe('what a call reserves', () => {
  it.each([
    ['chat', { max_tokens: 9 }, 9],
    ['chat', { max_tokens: 100_000, max_completion_tokens: 1 }, 100_000],
    ['chat', { max_tokens: 0 }, 4_096],
    ['chat', {}, 4_096],
    ['completions', { max_tokens: 100, max_completion_tokens: 0 }, 100],
    ['completions', { max_completion_tokens: 1 }, 4_096],
    ['responses', { max_output_tokens: 100_000, max_tokens: 1 }, 100_000],
    ['responses', { max_output_tokens: 5, max_tokens: 100_000 }, 100_000],
    ['responses', { max_tokens: 1 }, 4_096],
  ] as const)('is for the answer of %s with %j at most %d tokens', (operation, body, tokens) => {
    expect(longestAnswerOf(operation, body, 4_096)).toBe(tokens);
  });

  it.each([
    ['chat', { n: 3 }, 3],
    ['chat', { n: -100 }, 1],
    ['chat', { prompt: [] }, 1],
    ['completions', { prompt: ['a', 'b'], n: 2 }, 4],
    ['completions', { prompt: ['a', 'b'], n: 1, best_of: 5 }, 10],
    ['completions', { prompt: [1, 2, 3] }, 1],
    ['responses', { n: -1, prompt: [] }, 1],
    ['embeddings', { n: 7, input: 'a' }, 0],
  ] as const)('is for %s with %j %d answers', (operation, body, answers) => {
    expect(answersOf(operation, body as never)).toBe(answers);
  });

  it.each([
    [{ messages: [{ role: 'user', content: 'How are you?' }] }, 12],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hé' }] }] }, 3],
    [{ messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] }] }, 8],
    [{ messages: [], tools: [{ a: 1 }] }, 9],
    [{ messages: [], response_format: { type: 'json_schema', json_schema: { a: 1 } } }, 7],
    [
      {
        input: [
          { type: 'function_call', arguments: '{}' },
          { type: 'input_text', text: 'abc' },
        ],
      },
      5,
    ],
    [{ input: 'abc', text: { format: { type: 'json_schema', schema: { a: 1 } } }, instructions: 'de' }, 12],
    [{ prompt: [1, 2] }, 6],
  ])('is for the prompt of %j %d bytes', (body, bytes) => {
    expect(promptBytes(body)).toBe(bytes);
  });
});
