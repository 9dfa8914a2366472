import { afterEach, describe, expect, it } from '@jest/globals';
import { openaiClient } from '../../support/builders/openai-client.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { namedEventsOf } from '../../support/builders/response-streams.js';
import {
  chunk,
  completion,
  cutOff,
  DONE,
  stream,
  usageChunk,
  wholeStream,
} from '../../support/servers/scripted-backend.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const WEATHER = { name: 'get_weather', description: 'Tells it.', parameters: { type: 'object' }, strict: true };

describe('responses of a backend that only chats', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  it('are asked with every field in its chat form', async () => {
    await respond({
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: 'data:,', detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:,' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.', annotations: [] }] },
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' },
        { type: 'function_call', call_id: 'c2', name: 'get_weather', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Rain.' },
      ],
      max_output_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      tools: [{ type: 'function', ...WEATHER }],
      tool_choice: { type: 'function', name: 'get_weather' },
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: null },
      parallel_tool_calls: false,
      metadata: { a: 'b' },
      truncation: 'disabled',
      store: true,
      include: [],
      unknown: [1],
    });

    const call = (id: string, given: string) => ({
      id,
      type: 'function',
      function: { name: 'get_weather', arguments: given },
    });
    expect(gateway.backend.requests[0]?.path).toBe('/v1/chat/completions');
    expect(gateway.backend.requests[0]?.body).toEqual({
      model: 'scripted',
      messages: [
        { role: 'system', content: 'Be brief.\n\nBe kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:,', detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:,' } },
          ],
        },
        { role: 'assistant', content: 'Look.', tool_calls: [call('c1', '{}'), call('c2', '{"a":1}')] },
        { role: 'tool', tool_call_id: 'c1', content: 'Rain.' },
      ],
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      tools: [{ type: 'function', function: WEATHER }],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      verbosity: 'low',
      reasoning_effort: 'low',
      parallel_tool_calls: false,
      unknown: [1],
    });
  });

  it.each([
    ['truncation', { truncation: 'auto' }],
    ['background', { background: true }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'p' } }],
    ['context_management', { context_management: [{ type: 'compaction' }] }],
    ['reasoning.mode', { reasoning: { mode: 'pro' } }],
    ['tool_choice', { tool_choice: { type: 'web_search' } }],
    ['text.format', { text: { format: { type: 'grammar' } } }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }],
  ])('refuse %s, which would be lost', async (param, body) => {
    for (const answer of [await respond(body), await respond({ ...body, stream: true })]) {
      const { status, body: answered } = answer;
      expect([status, answered.error.code, answered.error.param]).toEqual([409, 'capability_not_supported', param]);
    }
    expect(gateway.backend.requests).toHaveLength(0);
  });

  it('have the form of a response', async () => {
    gateway.backend.answer(completion('Hello.'));

    const { status, body } = await respond({ temperature: 0.5, metadata: { a: 'b' } });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^resp_.{44}$/),
      object: 'response',
      created: 1_760_000_000,
      created_at: 1_760_000_000,
      status: 'completed',
      model: 'scripted',
      error: null,
      output: [
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hello.' }] },
      ],
      temperature: 0.5,
      metadata: { a: 'b' },
      usage: { input_tokens: 7, output_tokens: 3, prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
  });

  it('say why they are not complete', async () => {
    const message = { role: 'assistant', content: 'Hel' };
    gateway.backend.answer(completion('', { choices: [{ index: 0, message, finish_reason: 'length' }] }));

    const { body } = await respond({});

    expect(body).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  it('carry calls of tools there and back, and into a continuation', async () => {
    gateway.backend.answer({ pieces: [recordedBody('chat_tool')] }, completion('Take an umbrella.'));

    const first = await respond({ input: 'Weather?', tools: [{ type: 'function', ...WEATHER }] });
    const [call] = first.body.output.filter(({ type }: { type: string }) => type === 'function_call');
    const output = { type: 'function_call_output', call_id: call.call_id, output: 'Rain.' };
    const second = await respond({ input: [output] }, `/${first.body.id}/continue`);

    expect(call).toMatchObject({ name: 'get_weather', status: 'completed', id: expect.stringMatching(/^fc_/) });
    expect(second.body.output[0].content[0].text).toBe('Take an umbrella.');
    const messages = gateway.backend.requests[1]?.body.messages as { role: string; tool_call_id?: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[2]?.tool_call_id).toBe(call.call_id);
  });

  it('stream the standard events', async () => {
    gateway.backend.answer(stream(wholeStream('Hel', 'lo').join('')));

    const { body } = await respond({ stream: true });

    const events = namedEventsOf(body);
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events[2].item).toMatchObject({ content: [], status: 'in_progress' });
    expect(events.at(-1).response).toMatchObject({
      id: events[0].response.id,
      output: [events[8].item],
      usage: { input_tokens: 7, prompt_tokens: 7, total_tokens: 10 },
    });
    expect(gateway.backend.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(body).not.toContain('[DONE]');
  });

  it('stream what llama.cpp streamed as calls of tools, for the helper of the SDK', async () => {
    gateway.backend.answer(stream(recordedBody('chat_tool_stream')));

    const helper = openaiClient(gateway).responses.stream({
      model: 'scripted',
      input: 'Weather?',
      tools: [{ type: 'function', ...WEATHER }],
    });
    const snapshots: Record<number, string> = {};
    helper.on(
      'response.function_call_arguments.delta',
      ({ output_index: index, snapshot }) => (snapshots[index] = snapshot),
    );
    const { output } = await helper.finalResponse();

    const calls = output.filter((item) => item.type === 'function_call');
    expect(calls.length).toBeGreaterThan(0);
    for (const { name, arguments: given } of calls)
      expect([name, typeof JSON.parse(given)]).toEqual(['get_weather', 'object']);
    expect(Object.values(snapshots)).toEqual(calls.map((call) => call.arguments));
  });

  it('stream refusals as such', async () => {
    gateway.backend.answer(
      stream(chunk({ refusal: 'I can' }), chunk({ refusal: 'not.' }), chunk({}, 'stop'), usageChunk(), DONE),
    );

    const { body } = await respond({ stream: true });

    const { response } = namedEventsOf(body).at(-1);
    expect(response.output[0].content).toEqual([{ type: 'refusal', refusal: 'I cannot.' }]);
  });

  it('have what the model thought as an item of its own, whole and streamed', async () => {
    const message = { role: 'assistant', reasoning_content: 'Hm.', content: 'Yes.' };
    gateway.backend.answer(
      completion('', { choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      stream(chunk({ reasoning_content: 'Hm.' }), ...wholeStream('Yes.')),
    );

    const whole = await respond({});
    const streamed = await respond({ stream: true });

    const outputs = [whole.body.output, namedEventsOf(streamed.body).at(-1).response.output];
    for (const output of outputs) {
      expect(output).toMatchObject([
        { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
        { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
      ]);
    }
  });

  it('end in a failure when they are cut, and can be continued when they are whole', async () => {
    gateway.backend.answer(
      cutOff(...wholeStream('Hel').slice(0, 2)),
      stream(...wholeStream('Hello.')),
      completion('Again.'),
    );

    const [cut, whole] = [await respond({ stream: true }), await respond({ stream: true })];
    await respond({ input: 'More.' }, `/${namedEventsOf(whole.body).at(-1).response.id}/continue`);

    expect(cut.body).toMatch(/event: response\.failed\ndata: \{[^\n]*"error":\{"code":"bad_upstream",[^\n]*\n\n$/);
    expect(cut.body).not.toContain('response.completed');
    expect(gateway.backend.requests[2]?.body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'More.' },
    ]);
  });

  it('are refused by the builtin embedding model', async () => {
    const { status, body } = await respond({ model: 'builtin-hash-embedding' });

    expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', 'model']);
  });

  function respond(members: object, path = ''): Promise<RestAnswer> {
    return gateway.respond({ input: 'Hi', ...members }, path);
  }
});
