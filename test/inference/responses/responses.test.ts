import { afterEach, describe, expect, it } from '@jest/globals';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import {
  completeEvents,
  namedEvent,
  namedEventsOf,
  response,
  responseObject,
} from '../../support/builders/response-streams.js';
import { cutOff, DONE, htmlPage, json, stream } from '../../support/servers/scripted-backend.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const OUR_ID = /^resp_[A-Za-z0-9_-]{44}$/;

describe('responses', () => {
  const gateway = useGateway();

  afterEach(() => gateway.backend.reset());

  it('pass every field on, both ways, and add what is promised', async () => {
    const recorded = JSON.parse(recordedBody('resp').toString());
    const fields = {
      instructions: 'Be brief.',
      store: true,
      unknown: { a: [1, null] },
      tools: [{ type: 'web_search' }],
    };
    gateway.backend.answer(json(200, { ...recorded, extra: { b: 2 } }));

    const { status, body } = await gateway.respond({ ...fields, stream: false });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...recorded,
      instructions: fields.instructions,
      tools: fields.tools,
      extra: { b: 2 },
      id: expect.stringMatching(OUR_ID),
      model: 'scripted',
      created: recorded.created_at,
      usage: {
        ...recorded.usage,
        prompt_tokens: 48,
        completion_tokens: 4,
        total_tokens: 52,
      },
    });
    expect(gateway.backend.requests[0]).toMatchObject({ path: '/v1/responses' });
    expect(gateway.backend.requests[0]?.body).toEqual({ model: 'scripted', input: 'Hello?', ...fields });
  });

  it('have usage where the upstream tells none, counted here', async () => {
    gateway.backend.answer(response('Fine.', { usage: undefined }));

    const { body } = await gateway.respond();

    expect(body.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4, input_tokens: 2 });
  });

  it('have usage counted here also for a bare text, and for parts without a message', async () => {
    gateway.backend.answer(json(200, { id: 'r', output: 'plain text', usage: null }));

    const { body } = await gateway.respond({ input: [{ type: 'input_text', text: 'one two three' }] });

    expect(body.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  });

  it('are refused where the upstream has no output', async () => {
    gateway.backend.answer(json(200, { id: 'r', output: null }));

    const { status, body } = await gateway.respond();

    expect([status, body.error.code]).toEqual([502, 'bad_upstream']);
  });

  it.each(['resp_stream', 'resp_tool_stream'])('complete what llama.cpp leaves out of %s', async (name) => {
    gateway.backend.answer(stream(recordedBody(name)));

    const { status, headers, body } = await gateway.respond({ stream: true });

    const events = namedEventsOf(body);
    const [created] = events;
    const last = events.at(-1);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(created).toMatchObject({ type: 'response.created', response: { output: [], model: 'scripted' } });
    expect(last).toMatchObject({
      type: 'response.completed',
      response: { id: expect.stringMatching(OUR_ID), model: 'scripted', usage: { total_tokens: expect.any(Number) } },
    });
    expect(last.response.usage.prompt_tokens).toBe(last.response.usage.input_tokens);
    for (const event of events) {
      if (/\.(output_item|output_text|content_part|function_call)/.test(event.type)) {
        expect(event.output_index).toBe(
          last.response.output.findIndex(({ id }: { id: string }) => id === (event.item_id ?? event.item.id)),
        );
      }
      if (/\.(output_text|content_part)\./.test(event.type)) expect(event.content_index).toBe(0);
    }
    const ids = new Set(body.match(/"resp_[^"]*"/g));
    expect([...ids]).toEqual([JSON.stringify(created.response.id)]);
    expect(body).not.toContain('[DONE]');
  });

  it('begin with response.created where the upstream does not', async () => {
    gateway.backend.answer(stream(...completeEvents('Hi').slice(1)));

    const { body } = await gateway.respond({ stream: true });

    expect(namedEventsOf(body)[0]).toMatchObject({
      type: 'response.created',
      response: { object: 'response', status: 'in_progress', output: [], model: 'scripted' },
    });
  });

  it('relay a complete stream byte for byte, but for ids and the model', async () => {
    const pieces = completeEvents('Hel', 'lo');
    gateway.backend.answer(stream(pieces.join('')));

    const { body } = await gateway.respond({ stream: true });

    const frames = body.split(/(?<=\n\n)/);
    expect(frames.slice(1, -1)).toEqual(pieces.slice(1, -1));
    const { response: last } = namedEventsOf(body).at(-1);
    expect(last).toMatchObject({
      id: expect.stringMatching(OUR_ID),
      created: 1_760_000_000,
      usage: { prompt_tokens: 5 },
    });
  });

  it('rewrite the id wherever it is written', async () => {
    const pieces = completeEvents('Hi');
    const odd = namedEvent('response.custom', { sequence_number: 9, of: 'resp_upstream_1' });
    gateway.backend.answer(stream(pieces[0] ?? '', odd, ...pieces.slice(1)));

    const { body } = await gateway.respond({ stream: true });

    expect(body).not.toContain('resp_upstream_1');
    const [created, custom] = namedEventsOf(body);
    expect(custom.of).toBe(created.response.id);
  });

  it('pass the end mark on where the upstream sends one with its last event', async () => {
    const pieces = completeEvents('Hi');
    gateway.backend.answer(stream([...pieces, DONE].join('')));

    const { body } = await gateway.respond({ stream: true });

    expect(body.endsWith(DONE)).toBe(true);
  });

  it.each(['response.incomplete', 'response.failed'])('are whole with %s', async (type) => {
    const pieces = completeEvents('Hi').slice(0, -1);
    const status = type.slice('response.'.length);
    gateway.backend.answer(
      stream(...pieces, namedEvent(type, { sequence_number: 9, response: responseObject('Hi', { status }) })),
    );

    const { body } = await gateway.respond({ stream: true });

    expect(namedEventsOf(body).at(-1)).toMatchObject({ type, response: { status } });
  });

  it.each(['complete', 'incomplete'])('never look whole when they are cut, wherever that is (%s)', async (kind) => {
    const whole = kind === 'complete' ? completeEvents('a', 'b').join('') : recordedBody('resp_stream').toString();
    for (let at = 60; at < whole.length - 2; at += 211) {
      gateway.backend.answer(cutOff(whole.slice(0, at)));

      const { status, body } = await gateway.respond({ stream: true });

      if (status !== 200) continue;
      expect(body).toMatch(/event: response\.failed\ndata: \{[^\n]*"error":\{"code":"bad_upstream",[^\n]*\n\n$/);
      expect(body).not.toContain('response.completed');
    }
  });

  it.each([
    ['an error event', namedEvent('error', { code: 'server_error', message: 'CUDA at 10.0.0.1' })],
    ['an error without a name', 'data: {"error":{"message":"CUDA at 10.0.0.1","code":500}}\n\n'],
    ['nonsense', 'event: response.x\ndata: {"a":\n\n'],
  ])('end in our failure at %s', async (_what, frame) => {
    const [created = '', added = ''] = completeEvents('Hi');
    gateway.backend.answer(stream(created, added + frame + added));

    const { body } = await gateway.respond({ stream: true });

    expect(namedEventsOf(body).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'bad_upstream' } },
    });
    expect(body).not.toContain('10.0.0.1');
  });

  it('keep the refusals of the upstream', async () => {
    gateway.backend.answer(
      json(400, { error: { message: 'too long', code: 400 } }),
      htmlPage(500),
      json(200, { id: 'x' }),
    );

    const answers = [await gateway.respond(), await gateway.respond({ stream: true }), await gateway.respond()];

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [400, 'bad_request'],
      [502, 'bad_upstream'],
      [502, 'bad_upstream'],
    ]);
  });

  it.each([
    ['model', { model: undefined }],
    ['input', { input: undefined }],
    ['input', { input: 5 }],
    ['input[0]', { input: ['a'] }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['temperature', { temperature: 2.1 }],
    ['top_p', { top_p: -1 }],
  ])('are refused where %s is wrong', async (param, body) => {
    const answer = await gateway.respond(body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    expect(gateway.backend.requests).toHaveLength(0);
  });

  it('are metered as their own area, streamed or not', async () => {
    gateway.backend.answer(response('Hi'), stream(recordedBody('resp_stream')));

    await gateway.respond();
    await gateway.respond({ stream: true });
    const calls = await lastSettledCalls(gateway.platform, 2);

    const shared = { area: 'responses', state: 'exact', outcome: 'completed' };
    expect(calls).toEqual([
      { ...shared, prompt_tokens: 63, completion_tokens: 3 },
      { ...shared, prompt_tokens: 5, completion_tokens: 2 },
    ]);
  });

  it('are typed over GraphQL', async () => {
    gateway.backend.answer(response('Hi'));
    const query = `mutation ($body: JSON!) { createResponse(body: $body) {
      id object created model status output outputText usage { promptTokens completionTokens } raw
    } }`;

    const { body } = await gateway.graphql(query, { body: { model: 'scripted', input: 'Hello?' } });

    expect(body.data.createResponse).toMatchObject({
      id: expect.stringMatching(OUR_ID),
      object: 'response',
      created: 1_760_000_000,
      status: 'completed',
      outputText: 'Hi',
      usage: { promptTokens: 5, completionTokens: 2 },
      raw: { created_at: 1_760_000_000 },
    });
  });
});
