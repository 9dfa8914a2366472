import { beforeAll, describe, expect, it } from '@jest/globals';
import { countTokens } from '../../../src/inference/calls/tokenizer.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { eventsOf } from '../../support/probes/stream-probe.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const CONTEXT = 'The office opens at nine in the morning. Lunch is served at noon. Dogs are welcome on Fridays.';
const QUESTION = 'When does the office open?';
const ANSWER = 'The office opens at nine in the morning.';
const SYSTEM = { role: 'system', content: CONTEXT };

describe('the builtin backend', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('answers from the conversation, with real token counts', async () => {
    const { status, body } = await chat();

    const promptTokens = await countTokens([CONTEXT, QUESTION]);
    const completionTokens = await countTokens([ANSWER]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'builtin-extractive',
      choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    });
  });

  it('streams role, content, finish, usage and end mark, in this order', async () => {
    const { body: text } = await chat({ stream: true, stream_options: { include_usage: true } });

    const events = eventsOf(text) as {
      choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[];
      usage?: object;
    }[];
    const pieces = events.slice(1, -2).map(({ choices: [choice] }) => choice?.delta.content);
    expect(events[0]?.choices[0]).toMatchObject({ delta: { role: 'assistant', content: '' }, finish_reason: null });
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(ANSWER);
    expect(events.at(-2)?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: await countTokens([ANSWER]) } });
    expect(text.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('keeps to the bounds of the request', async () => {
    const short = await chat({ max_tokens: 3 });
    const newer = await chat({ max_tokens: 50, max_completion_tokens: 2 });
    const stopped = await chat({ stop: ['nowhere', ' nine'] });
    const enough = await chat({ max_tokens: 1_000 });
    const unbound = await chat({ max_tokens: -1 });

    expect(short.body.choices[0]).toMatchObject({ message: { content: 'The office opens' }, finish_reason: 'length' });
    expect(short.body.usage.completion_tokens).toBe(3);
    expect(newer.body.choices[0].message.content).toBe('The office');
    expect(stopped.body.choices[0]).toMatchObject({
      message: { content: 'The office opens at' },
      finish_reason: 'stop',
    });
    expect(enough.body.choices[0].finish_reason).toBe('stop');
    expect(unbound.body.choices[0].message).toEqual(enough.body.choices[0].message);
  });

  const image = { type: 'image_url', image_url: { url: 'data:,' } };
  const unsupported: [string, object][] = [
    ['n', { n: 2 }],
    ['tool_choice', { tool_choice: 'required', tools: [] }],
    ['tool_choice', { tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['logprobs', { logprobs: true }],
    ['modalities', { modalities: ['text', 'audio'] }],
    [
      'messages[1].content[1]',
      { messages: [SYSTEM, { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] },
    ],
  ];

  it.each(unsupported)('refuses what it cannot do and names %s', async (param, body) => {
    for (const answer of [await chat(body), await chat({ ...body, stream: true })]) {
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([
        409,
        'capability_not_supported',
        param,
      ]);
      expect(answer.headers.get('x-should-retry')).toBe('false');
    }
  });

  it('takes what changes nothing for it', async () => {
    const { status } = await chat({
      n: 1,
      tools: [{ type: 'function' }],
      tool_choice: 'auto',
      response_format: { type: 'text' },
      temperature: 0.2,
    });

    expect(status).toBe(200);
  });

  it('answers an empty message with an empty answer', async () => {
    const whole = await chat({ messages: [{ role: 'user', content: null }] });
    const streamed = await chat({ messages: [{ role: 'user' }], stream: true });

    expect(whole.body).toMatchObject({
      choices: [{ message: { content: '' }, finish_reason: 'stop' }],
      usage: { total_tokens: 0 },
    });
    expect(eventsOf(streamed.body)).toHaveLength(2);
  });

  function chat(body: object = {}): Promise<RestAnswer> {
    return platform.as(token).post('/v1/chat/completions', {
      model: 'builtin-extractive',
      messages: [SYSTEM, { role: 'user', content: [{ type: 'text', text: QUESTION }] }],
      ...body,
    });
  }
});
