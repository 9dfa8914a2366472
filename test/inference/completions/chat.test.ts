import { afterEach, describe, expect, it } from '@jest/globals';
import { userMessage } from '../../support/builders/chat-request.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { usedOf } from '../../support/builders/quota.js';
import {
  DONE,
  USAGE,
  chunk,
  completion,
  event,
  json,
  stream,
  usageChunk,
  wholeStream,
} from '../../support/servers/scripted-backend.js';
import { eventsOf, recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const MESSAGES = [userMessage('How are you today?')];
const HEADERS = { 'x-team': 'research' };
const MODELS = ['scripted', { id: 'public-name', upstream: 'secret-name' }];
const GPU = { id: 'gpu', api_key: 'sk-upstream', headers: HEADERS, models: MODELS };
const EMBEDDER = { id: 'embedder', supports: ['embeddings'], models: ['vectors'] };

describe('chat completions', () => {
  const gateway = useGateway({ backends: [GPU, EMBEDDER] });

  afterEach(() => gateway.backend.reset());

  it.each([
    ['no total', { prompt_tokens: 5, completion_tokens: 2 }, [5, 2, 7]],
    ['no completion', { prompt_tokens: 5, total_tokens: 8 }, [5, 3, 8]],
    ['a prompt alone, which is counted here', { prompt_tokens: 5 }, [5, 3, 8]],
  ])('has whole usage and members where the upstream tells %s', async (_what, usage, expected) => {
    gateway.backend.answer(
      completion('Fine, thanks', { id: null, created: null, usage }),
      stream(chunk({ content: 'Fine' }), chunk({ content: ', thanks' }, 'stop'), event({ choices: [], usage }), DONE),
    );

    const whole = await chat({});
    const streamed = await chat({ stream: true, stream_options: { include_usage: true } });

    expect(whole.body).toMatchObject({ id: expect.stringMatching(/^chatcmpl-/), created: expect.any(Number) });
    for (const { usage: told } of [whole.body, eventsOf(streamed.body).at(-1) as { usage: Record<string, number> }]) {
      expect([told.prompt_tokens, told.completion_tokens, told.total_tokens]).toEqual(expected);
    }
  });

  it('pass what the model server answers, with all that it says beside', async () => {
    gateway.backend.answer(completion('Fine.', { system_fingerprint: 'fp', timings: { prompt_n: 1 } }));

    const { status, headers, body } = await chat({});

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_760_000_000,
      model: 'scripted',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
      usage: USAGE,
      system_fingerprint: 'fp',
      timings: { prompt_n: 1 },
    });
  });

  it('pass every field on, with the credentials of the backend and not the caller’s', async () => {
    const fields = {
      temperature: 0.5,
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'auto',
      response_format: { type: 'json_object' },
      unknown_field: { nested: ['ü', null] },
    };

    await chat({ ...fields, stream: false, stream_options: { include_usage: true } }, { cookie: 'a=b' });

    const [request] = gateway.backend.requests;
    expect(request?.body).toEqual({ model: 'scripted', messages: MESSAGES, ...fields });
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-upstream', 'x-team': 'research' });
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(request?.headers).not.toHaveProperty('x-byok-api-key');
  });

  it('know a model upstream by its own name, and the client by the public one', async () => {
    gateway.backend.answer(
      completion('Hi.', { model: 'secret-name' }),
      stream(wholeStream('a').join('').replaceAll('"scripted"', '"secret-name"')),
    );

    const whole = await chat({ model: 'public-name' });
    const streamed = (await chat({ model: 'public-name', stream: true })).body;

    expect(gateway.backend.requests.map(({ body }) => body.model)).toEqual(['secret-name', 'secret-name']);
    expect(whole.body.model).toBe('public-name');
    expect(streamed).not.toContain('secret-name');
    expect(eventsOf(streamed).map(({ model }) => model)).toEqual(['public-name', 'public-name', 'public-name']);
  });

  it('are relayed byte for byte as a stream, without the usage that was not asked for', async () => {
    const pieces = wholeStream('Hel', 'lo', ' 🌍');
    gateway.backend.answer(stream(pieces.join('')));

    const { status, headers, body } = await chat({ stream: true });

    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    expect(body).toBe(pieces.filter((piece) => piece !== usageChunk()).join(''));
    expect(gateway.backend.requests[0]?.body).toEqual({
      model: 'scripted',
      messages: MESSAGES,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('have usage and the other promised members where the model server leaves them out', async () => {
    gateway.backend.answer(
      json(200, { choices: [{ message: { role: 'assistant', content: 'I am fine, thank you.' } }] }),
    );

    const { body } = await chat({});

    expect(body).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'scripted',
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    });
  });

  it.each(['chat_tool', 'err_model', 'logprobs'])('relay what llama.cpp recorded as %s', async (name) => {
    const recorded = JSON.parse(recordedBody(name).toString());
    gateway.backend.answer(json(200, recorded));

    const { status, body } = await chat({});

    expect(status).toBe(200);
    expect(body).toEqual({ ...recorded, model: 'scripted' });
  });

  it('are typed over GraphQL, with the whole answer beside', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    gateway.backend.answer(
      completion('', {
        choices: [
          { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
        ],
      }),
    );
    const mutation = `mutation ($body: JSON!) { createChatCompletion(body: $body) {
      id object created model choices { index message { role content toolCalls } finishReason }
      usage { promptTokens completionTokens totalTokens } raw
    } }`;

    const { body } = await gateway.graphql(mutation, { body: { model: 'scripted', messages: MESSAGES, stream: true } });

    expect(body.errors).toBeUndefined();
    expect(body.data.createChatCompletion).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, toolCalls: [call] }, finishReason: 'tool_calls' },
      ],
      usage: { promptTokens: 7, completionTokens: 3, totalTokens: 10 },
      raw: { id: 'chatcmpl-1' },
    });
    expect(gateway.backend.requests[0]?.body).not.toHaveProperty('stream');
  });

  it('refuse the same bodies over GraphQL as over REST, in the same words', async () => {
    const body = { model: 'scripted', messages: [{ content: 'x' }] };

    const rest = await chat(body);
    const graph = await gateway.graphql('mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }', {
      body,
    });

    expect(rest.body.error).toEqual({
      message: 'messages[0].role is required.',
      type: 'invalid_request_error',
      code: 'bad_request',
      param: 'messages[0].role',
    });
    expect(graph.body.errors[0]).toMatchObject({
      message: rest.body.error.message,
      extensions: { code: 'bad_request', param: 'messages[0].role' },
    });
    expect(gateway.backend.requests).toHaveLength(0);
  });

  it('say 409 for a model that does not chat', async () => {
    const { status, body } = await chat({ model: 'vectors' });

    expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', 'model']);
  });

  it('are in flight while they are answered', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(stream(gate.promise, wholeStream('a').join('')));
    const arrived = gateway.backend.nextRequest();
    const answered = chat({ stream: true });
    await arrived;

    const during = await gateway.get('/v1/backends');
    gate.resolve();
    await answered;
    const after = await gateway.get('/v1/backends');

    expect([during, after].map(({ body }) => body.data[0].in_flight)).toEqual([1, 0]);
  });

  it('are counted in the quota, streamed or not', async () => {
    gateway.backend.answer(
      completion('a'),
      stream(wholeStream('a').join('')),
      stream(wholeStream('a').slice(0, 3).join(''), DONE),
    );
    const before = await usedOf(gateway);

    await chat({});
    await chat({ stream: true });
    await chat({ stream: true });
    const after = await usedOf(gateway);

    expect(after.requests - before.requests).toBe(3);
    expect(after.tokens - before.tokens).toBe(10 + 10 + 6);
  });

  it('leave no trace of prompts or answers in the log', async () => {
    gateway.backend.answer(
      completion('answer-9411'),
      stream(wholeStream('answer-9411').join('')),
      json(400, { error: { message: 'answer-9411' } }),
    );
    const messages = [userMessage('prompt-7733')];

    await chat({ messages });
    await chat({ messages, stream: true });
    await chat({ messages });

    expect(gateway.platform.logLines.join('\n')).not.toMatch(/prompt-7733|answer-9411|sk-upstream/);
  });

  function chat(members: object, headers: Record<string, string> = {}): Promise<RestAnswer> {
    return gateway.chat({ messages: MESSAGES, ...members }, { headers });
  }
});
