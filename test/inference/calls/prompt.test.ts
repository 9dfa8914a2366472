import { describe, expect, it } from '@jest/globals';
import { countAnswers, boundedRequest, longestAnswerOf } from '../../../src/inference/calls/answer-bounds.js';
import { contentOf, promptTexts } from '../../../src/inference/calls/prompt.js';

describe('what a call reserves', () => {
  it.each([
    ['chat', { max_tokens: 9 }, 9],
    ['chat', { max_tokens: 100_000, max_completion_tokens: 1 }, 100_000],
    ['chat', { max_tokens: 0 }, 4_096],
    ['chat', {}, 4_096],
    ['completions', { max_tokens: 100, max_completion_tokens: 0 }, 4_096],
    ['completions', { max_tokens: 9_000, max_completion_tokens: 0 }, 9_000],
    ['completions', { max_completion_tokens: 1 }, 4_096],
    ['responses', { max_output_tokens: 100_000, max_tokens: 1 }, 100_000],
    ['responses', { max_output_tokens: 5, max_tokens: 100_000 }, 100_000],
    ['responses', { max_tokens: 1 }, 4_096],
    ['chat', { max_tokens: 1, n_predict: 50_000 }, 50_000],
    ['chat', { max_tokens: 1, max_new_tokens: '50000' }, 50_000],
    ['chat', { max_tokens: 1, max_new_tokens: [50_000], options: 'none' }, 1],
    ['chat', { max_tokens: 1, options: { num_predict: 50_000 } }, 50_000],
    ['chat', { max_tokens: 1, extra_body: { parameters: [{ maxNewTokens: 5_000 }] } }, 5_000],
    ['chat', { max_tokens: 1, options: { num_predict: -2 } }, 4_096],
    ['chat', { max_tokens: 1, thinking: { budget_tokens: 8_000 } }, 8_000],
    ['chat', { max_tokens: 7, chat_template_kwargs: { thinking_budget: 0 }, min_tokens: 0 }, 7],
    ['chat', { max_tokens: 1, thinking_budget: -1 }, 4_096],
    ['chat', { max_tokens: 1, messages: [{ max_tokens: 9_000 }], tools: [{ max_length: 9_000 }] }, 1],
    ['chat', { options: { max_tokens: 1 }, metadata: { max_tokens: 9_000 } }, 4_096],
    ['chat', { max_tokens: 1e308 }, 1e308],
    ['chat', JSON.parse('{"max_tokens":1,"__proto__":{"n_predict":5000},"constructor":{"n":2}}'), 5_000],
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
    ['completions', { prompt: [1, 'a', [2]], n: 1 }, 3],
    ['chat', { n: 2, options: { num_return_sequences: '9' } }, 9],
    ['chat', { n: 1e308 }, 1e308],
    ['chat', { n: [9], best_of: null }, 1],
  ] as const)('is for %s with %j %d answers', (operation, body, answers) => {
    expect(countAnswers(operation, body as never)).toBe(answers);
  });

  it.each<[request: object, texts: string[]]>([
    [
      { model: 'm', stream: true, temperature: 0, messages: [{ role: 'user', content: 'How are you?' }] },
      ['How are you?'],
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hé' }] }], user: 'me' }, ['Hé']],
    [{ messages: [{ role: 'assistant', content: null, tool_calls: [{ id: 'a' }] }] }, ['[{"id":"a"}]']],
    [{ messages: [{ role: 'a role with many more words' }] }, ['"role"', 'a role with many more words']],
    [{ messages: [], tools: [{ a: 1 }], other: { b: 2 } }, ['[{"a":1}]', '"other"', '{"b":2}']],
    [
      {
        input: [
          { type: 'function_call', arguments: '{}' },
          { type: 'input_text', text: 'abc' },
        ],
      },
      ['{}', 'abc'],
    ],
    [{ input: 'abc', instructions: 'de', text: { format: { type: 'text' } } }, ['abc', 'de']],
    [{ prompt: ['a', [1, 2], 'b'] }, ['a', 'b']],
  ])('is for the texts of %j %j', (body, texts) => {
    expect(promptTexts(body as never)).toEqual(texts);
  });

  const image = `data:image/png;base64,${'A'.repeat(900)}`;
  const part = (members: object) => ({ messages: [{ role: 'user', content: [members] }] });

  it.each<[request: object, expected: [parts: number, bytes: number]]>([
    [part({ type: 'image_url', image_url: { url: image } }), [1, 900]],
    [part({ type: 'image_url', image_url: image }), [1, 900]],
    [part({ type: 'input_image', image_url: `${image}==` }), [1, 902]],
    [part({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }), [1, 4]],
    [{ input: [{ type: 'input_image', image_url: image }] }, [1, 900]],
    [part({ type: 'image_url', image_url: { url: `${image} and more` } }), [1, 0]],
    [part({ type: 'image_url', image_url: { url: 'https://example.test/a.png' } }), [1, 0]],
    [part({ type: 'image_url', image_url: { url: image.replace('image/png', 'text/plain') } }), [1, 0]],
    [part({ type: 'video_url', video_url: { url: image } }), [1, 0]],
    [part({ type: 'text', text: 'a', image_url: image }), [1, 0]],
    [part({ type: 'file', file: { file_data: image } }), [0, 0]],
    [{ messages: [{ role: 'user', content: '', image_url: image }] }, [0, 0]],
  ])('counts the media of %j', (body, [parts, bytes]) => {
    expect(contentOf(body as never)).toMatchObject({ mediaParts: parts, mediaBytes: bytes });
  });

  it('counts each token that is given as a number', () => {
    const bodies = [{ prompt: [1, 22, 333] }, { prompt: [[1, 2], [3]] }, { input: [[1, 22], [4]] }];

    const counts = bodies.map(contentOf).map(({ tokens, shortTokens, messages }) => [tokens, shortTokens, messages]);

    expect(counts).toEqual([
      [3, 1, 0],
      [3, 3, 2],
      [3, 2, 2],
    ]);
  });
});

describe('what is sent under an enforced quota', () => {
  it.each([
    ['chat', { max_tokens: 5, n_predict: 9 }, { max_tokens: 5, n_predict: 9 }],
    ['chat', { max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
    ['chat', {}, { max_tokens: 100 }],
    ['chat', { max_tokens: -1 }, { max_tokens: 100 }],
    ['chat', { max_tokens: 5, n_predict: -1, min_tokens: 0 }, { max_tokens: 5, min_tokens: 0 }],
    ['chat', { options: { num_predict: '-1', a: 1 } }, { options: { a: 1 }, max_tokens: 100 }],
    ['completions', { max_tokens: 0, n: 0 }, { n: 0, max_tokens: 100 }],
    ['responses', { max_tokens: 5 }, { max_tokens: 5, max_output_tokens: 100 }],
    ['embeddings', {}, {}],
  ] as const)('has for %s with %j a bound: %j', (operation, body, sent) => {
    const original = structuredClone(body);

    const bounded = boundedRequest(operation, body, 100);

    expect(bounded).toEqual(sent);
    expect(body).toEqual(original);
  });
});
