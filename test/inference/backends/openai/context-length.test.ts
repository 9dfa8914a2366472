import { afterEach, describe, expect, it } from '@jest/globals';
import { event, json, stream } from '../../../support/servers/scripted-backend.js';
import type { Script } from '../../../support/servers/scripted-backend.js';
import { useGateway } from '../../../support/servers/use-servers.js';

const TOLD = { type: 'invalid_request_error', code: 'bad_request', reason: 'context_length_exceeded' };
const TOKENS = '(7000 in the messages, 2000 in the completion)';

describe('a prompt that is too long, as servers word it', () => {
  const gateway = useGateway();

  afterEach(() => gateway.backend.reset());

  it.each(wordings())('is told with its reason by %s: %j', async (_server, status, body) => {
    const refused: Script = json(status, body);
    gateway.backend.answer(refused, refused, refused, stream(event(inStream(body))));

    const answers = [
      await gateway.chat(),
      await gateway.chat({ stream: true }),
      await gateway.post('/v1/embeddings', { model: 'scripted', input: 'x' }),
      await gateway.chat({ stream: true }),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject(TOLD);
      expect(JSON.stringify(body)).toContain(JSON.stringify(answer.body.error.message));
    }
  });

  it.each([
    'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.',
    'max_tokens must be at least 1, got -1.',
    'Input validation error: `max_new_tokens` must be strictly positive',
    'The context of this conversation is not known.',
    'This request would exceed the limit of 40000 input tokens per minute.',
    'Invalid value for name: string too long, expected at most 64 characters.',
    'Too many tools: the length of tools exceeds 128.',
  ])('is not what is meant by: %s', async (message) => {
    gateway.backend.answer(json(400, { error: { message } }));

    const { body } = await gateway.chat();

    expect(body.error).toEqual({ message, type: 'invalid_request_error', code: 'bad_request' });
  });
});

/** What servers answer, as their issue trackers quote it. */
function wordings(): [server: string, status: number, body: object][] {
  const error = (message: string, members: object = {}) => ({ error: { message, ...members } });
  const fastapi = (message: string) => ({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 });
  return [
    [
      'OpenAI',
      400,
      error(`This model's maximum context length is 8192 tokens. However, you requested 9000 tokens ${TOKENS}.`),
    ],
    ['OpenAI', 400, error('Your input exceeds the context window of this model. Please adjust your input.')],
    ['OpenAI', 400, error('Too long.', { code: 'context_length_exceeded' })],
    ['a proxy', 400, { message: 'Too long.', code: 'context_length_exceeded' }],
    [
      'vLLM',
      400,
      fastapi(`This model's maximum context length is 8192 tokens. However, you requested 9000 tokens ${TOKENS}.`),
    ],
    [
      'vLLM',
      400,
      error("This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens."),
    ],
    [
      'vLLM',
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 900. This model's maximum context length is 8192 tokens and your request has 8000 input tokens.",
      ),
    ],
    ['vLLM', 400, fastapi('The decoder prompt (length 9000) is longer than the maximum model length of 8192.')],
    ['vLLM', 400, fastapi('max_tokens must be at least 1, got -186.')],
    ['SGLang', 400, fastapi("The input (61709 tokens) is longer than the model's context length (40960 tokens).")],
    [
      'SGLang',
      400,
      fastapi(
        "Requested token count exceeds the model's maximum context length of 40960 tokens. You requested a total of 50000 tokens.",
      ),
    ],
    ['SGLang', 400, fastapi('Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).')],
    ['SGLang', 400, fastapi("Input length (33432) exceeds model's maximum context length (32768).")],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2000 `inputs` tokens and 500 `max_new_tokens`',
        error_type: 'validation',
      },
    ],
    [
      'TGI',
      422,
      {
        error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1168',
        error_type: 'validation',
      },
    ],
    [
      'TEI',
      413,
      {
        error: 'Input validation error: `inputs` must have less than 512 tokens. Given: 700',
        error_type: 'Validation',
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 6547 tokens when context overflows. However, the model is loaded with a context length of only 4096 tokens.',
      },
    ],
    [
      'LM Studio',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    ],
    ['LM Studio', 500, { error: 'Context size has been exceeded.' }],
    ['LM Studio', 400, { error: 'Cannot truncate prompt with n_keep (9000) >= n_ctx (4096)' }],
    [
      'llama.cpp',
      400,
      error('request (3002 tokens) exceeds the available context size (2048 tokens), try increasing it', {
        type: 'exceed_context_size_error',
      }),
    ],
    ['llama.cpp', 400, error('the request exceeds the available context size. try increasing the context size')],
    ['Ollama', 400, error('input length exceeds maximum context length')],
    ['Ollama', 400, error('the input length exceeds the context length')],
    ['Ollama', 400, error('prompt too long; exceeded max context length by 12 tokens')],
    ['Anthropic', 400, error('prompt is too long: 210000 tokens > 200000 maximum', { type: 'invalid_request_error' })],
    ['Anthropic', 400, error('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000')],
    ['Google', 400, error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
    ],
    ['Bedrock', 400, error('Input is too long for requested model.')],
    ['xAI', 400, error("This model's maximum prompt length is 131072 but the request contains 537812 tokens.")],
    ['Moonshot', 400, error('Invalid request: Your request exceeded model token limit: 8192')],
    ['TensorRT-LLM', 400, error('Prompt length (5000) exceeds maximum input length (4096).')],
  ];
}

/** The same as the one event of a stream. */
function inStream(body: object): object {
  return 'error' in body ? body : { error: body };
}
