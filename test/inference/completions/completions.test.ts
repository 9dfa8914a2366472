import { afterEach, describe, expect, it } from '@jest/globals';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import { countTokens } from '../../../src/inference/calls/tokenizer.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { cutOff, DONE, event, json, stream } from '../../support/servers/scripted-backend.js';
import { eventsOf, recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('completions', () => {
  const gateway = useGateway();

  afterEach(() => gateway.backend.reset());

  it('relay what llama.cpp recorded, under the public name of the model', async () => {
    const recorded = JSON.parse(recordedBody('comp').toString());
    gateway.backend.answer(json(200, recorded));

    const { status, body } = await complete({ prompt: ['One', 'Two'], suffix: 'x', logprobs: 2 });

    expect([status, body]).toEqual([200, { ...recorded, model: 'scripted' }]);
    expect(gateway.backend.requests[0]).toMatchObject({
      path: '/v1/completions',
      body: { model: 'scripted', prompt: ['One', 'Two'], suffix: 'x', logprobs: 2 },
    });
  });

  it.each([[[1, 2, 3]], [[[1, 2], [3]]], ['']])('pass the prompt %j on as it is', async (prompt) => {
    gateway.backend.answer(json(200, { choices: [{ index: 0, text: 'a' }] }));

    const { status, body } = await complete({ prompt });

    expect(gateway.backend.requests[0]?.body.prompt).toEqual(prompt);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'text_completion', model: 'scripted', usage: { completion_tokens: 1 } });
  });

  it('have the text in both forms in a stream, and usage only where it was asked for', async () => {
    gateway.backend.answer(stream(recordedBody('comp_stream')), stream(recordedBody('comp_stream')));

    const plain = await complete({ stream: true });
    const withUsage = await complete({ stream: true, stream_options: { include_usage: true } });

    const events = eventsOf(plain.body) as Chunk[];
    expect(events.map(({ choices: [choice] }) => [choice?.text, choice?.delta, choice?.finish_reason])).toEqual([
      [' supporting', { content: ' supporting' }, null],
      [' gap', { content: ' gap' }, null],
      ['', { content: '' }, 'length'],
    ]);
    expect(events.every(({ model, usage }) => model === 'scripted' && usage === undefined)).toBe(true);
    expect(plain.body.endsWith(DONE)).toBe(true);
    expect((eventsOf(withUsage.body) as Chunk[]).at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2 } });
    expect(gateway.backend.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('read the text of a server that only writes deltas', async () => {
    gateway.backend.answer(stream(event({ id: 'a', choices: [{ index: 0, delta: { content: 'Hi' } }] }), DONE));

    const { body } = await complete({ stream: true });

    const choices = [{ index: 0, text: 'Hi', delta: { content: 'Hi' } }];
    expect(eventsOf(body)).toEqual([{ id: 'a', model: 'scripted', choices }]);
  });

  it('end with an error event and no end mark when they are cut', async () => {
    gateway.backend.answer(cutOff(event({ id: 'a', choices: [{ index: 0, text: 'Hi' }] })));

    const { body } = await complete({ stream: true });

    expect(eventsOf(body).at(-1)).toMatchObject({ error: { code: 'bad_upstream' } });
    expect(body).not.toContain('[DONE]');
  });

  it.each([
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: 5 }],
    ['prompt', { prompt: [] }],
    ['prompt[0]', { prompt: [{}] }],
    ['temperature', { temperature: 3 }],
  ])('are refused where %s is wrong', async (param, body) => {
    const answer = await complete(body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    expect(gateway.backend.requests).toHaveLength(0);
  });

  it('are counted as their own area and limited', async () => {
    gateway.backend.answer(json(200, JSON.parse(recordedBody('comp').toString())));

    const { headers } = await complete({});
    const [call] = await lastSettledCalls(gateway.platform);

    expect(headers.get('x-ratelimit-limit-requests')).toBe('600');
    expect(call).toEqual({
      area: 'completions',
      prompt_tokens: 2,
      completion_tokens: 4,
      state: 'exact',
      outcome: 'completed',
    });
  });

  it('are typed over GraphQL', async () => {
    gateway.backend.answer(json(200, JSON.parse(recordedBody('comp').toString())));

    const { body } = await gateway.graphql(
      'mutation ($body: JSON!) { createCompletion(body: $body) { object model choices { index text finishReason } usage { totalTokens } raw } }',
      { body: { model: 'scripted', prompt: 'One' } },
    );

    expect(body.data.createCompletion).toMatchObject({
      object: 'text_completion',
      model: 'scripted',
      choices: [{ index: 0, text: ' supporting gapwidth appropriate', finishReason: 'length' }],
      usage: { totalTokens: 6 },
      raw: { system_fingerprint: 'b0-unknown' },
    });
  });

  it('of the builtin model are sentences of the prompt, a choice for each prompt', async () => {
    const prompt = ['The office opens at nine.', 'Lunch is at noon.'];

    const whole = await complete({ model: 'builtin-extractive', prompt });
    const streamed = await complete({ model: 'builtin-extractive', prompt: prompt[0], stream: true, max_tokens: 3 });
    const refused = await complete({ model: 'builtin-extractive', suffix: 'end' });

    expect(whole.body.choices.map(({ text }: { text: string }) => text)).toEqual(prompt);
    expect(whole.body.usage.prompt_tokens).toBe(await countTokens(prompt));
    const chunks = eventsOf(streamed.body) as Chunk[];
    expect(chunks.map(({ choices: [choice] }) => choice?.text).join('')).toBe('The office opens');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
    expect([refused.status, refused.body.error.param]).toEqual([409, 'suffix']);
  });

  function complete(body: object): Promise<RestAnswer> {
    return gateway.post('/v1/completions', { model: 'scripted', prompt: 'One', ...body });
  }
});

type Chunk = {
  model: string;
  choices: { text: string; delta: object; finish_reason: string | null }[];
  usage?: object;
};
