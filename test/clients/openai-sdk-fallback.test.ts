import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { DONE, chunk, completion, stream, usageChunk, wholeStream } from '../support/servers/scripted-backend.js';
import { recordedBody } from '../support/probes/stream-probe.js';
import { openaiClient } from '../support/builders/openai-client.js';
import { WEATHER_PARAMETERS } from '../support/builders/weather-tool.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';

const Weather = z.object({ city: z.string(), rain: z.boolean() });
const messages = [{ role: 'user', content: 'Weather?' }] as const;
const given = { model: 'scripted', input: 'Weather?' };

describe(`${clientTitle('openai')}, its helpers before a backend that only chats`, () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });
  let client: OpenAI;

  beforeAll(async () => {
    client = openaiClient(gateway);
  });
  afterEach(() => gateway.backend.reset());

  it('parse a response by a schema, whole and streamed', async () => {
    const text = { format: zodTextFormat(Weather, 'weather') };
    const pieces = ['{"city":"Pa', 'ris","rain":true}'];
    gateway.backend.answer(completion(pieces.join('')), stream(...wholeStream(...pieces)));

    const whole = await client.responses.parse({ ...given, text });
    const streamed = await client.responses.stream({ ...given, text }).finalResponse();

    expect([whole.output_parsed, streamed.output_parsed]).toEqual(Array(2).fill({ city: 'Paris', rain: true }));
    expect(gateway.backend.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'weather', strict: true, schema: { type: 'object', required: ['city', 'rain'] } },
    });
  });

  it('gather what a response says, thinks and calls, and are told what was left out', async () => {
    gateway.backend.answer(
      stream(
        chunk({ reasoning_content: 'Hm.' }),
        chunk({ content: 'I ' }),
        chunk({ content: 'look.' }),
        chunk({
          tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] }, 'tool_calls'),
        usageChunk(),
        DONE,
      ),
    );

    const helper = client.responses.stream({ ...given, tools: tools(), include: ['reasoning.encrypted_content'] });
    const snapshots: string[] = [];
    helper.on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot));
    helper.on('response.function_call_arguments.delta', ({ snapshot }) => snapshots.push(snapshot));
    const final = await helper.finalResponse();

    expect(snapshots).toEqual(['I ', 'I look.', '{"city":', '{"city":"Paris"}']);
    expect(final.output_text).toBe('I look.');
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(final.output.at(-1)).toMatchObject({ name: 'get_weather', arguments: '{"city":"Paris"}', call_id: 'c1' });
    expect(final.usage).toMatchObject({
      input_tokens: 7,
      output_tokens: 3,
      total_tokens: 10,
    });
    expect(final.usage).toMatchObject({
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });

  it('tell the header with the fields that were left out', async () => {
    const { data, response } = await client.responses.create({ ...given, tools: tools() }).withResponse();

    expect(data.output_text).toBe('Hello.');
    expect(response.headers.get('x-omitted-fields')).toBe('tools[0]');
  });

  it('gather a response that was cut', async () => {
    gateway.backend.answer(stream(chunk({ content: 'Hel' }, 'length'), usageChunk(), DONE));

    const final = await client.responses.stream(given).finalResponse();

    expect(final).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      output_text: 'Hel',
    });
  });

  it('give the outputs of tools back, with what the model said before', async () => {
    const message = { role: 'assistant', content: 'I look.', tool_calls: [call()] };
    gateway.backend.answer(
      completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
      completion('Rain.'),
    );

    const first = await client.responses.create({ ...given, tools: tools(), store: false });
    const second = await client.responses.create({
      ...given,
      tools: tools(),
      store: false,
      input: [
        { role: 'user', content: 'Weather?' },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'Rain' }] },
      ],
    });

    expect(second.output_text).toBe('Rain.');
    expect(gateway.backend.requests[1]?.body.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [call()] },
      { role: 'tool', tool_call_id: 'c1', content: 'Rain' },
    ]);
  });

  it('run tools in a chat, whole and streamed', async () => {
    const tool = zodFunction({
      name: 'get_weather',
      parameters: z.object({ city: z.string() }),
      function: ({ city }) => `Rain in ${city}.`,
    });
    const message = { role: 'assistant', content: null, tool_calls: [call()] };
    gateway.backend.answer(
      completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
      completion('Take an umbrella.'),
      stream(chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call() }] }, 'tool_calls'), usageChunk(), DONE),
      stream(...wholeStream('Take ', 'an umbrella.')),
    );
    const body = { model: 'scripted', messages: [...messages], tools: [tool] };

    const whole = await client.chat.completions.runTools(body).finalContent();
    const streamed = await client.chat.completions.runTools({ ...body, stream: true }).finalContent();

    expect([whole, streamed]).toEqual(['Take an umbrella.', 'Take an umbrella.']);
    for (const request of [gateway.backend.requests[1], gateway.backend.requests[3]]) {
      expect(request?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Rain in Paris.' });
    }
  });

  it('parse a chat by a schema in a stream, and gather one whose last chunk tells more than usage', async () => {
    gateway.backend.answer(
      stream(...wholeStream('{"city":"Paris",', '"rain":true}')),
      stream(recordedBody('chat_stream_usage')),
      stream(recordedBody('chat_stream_usage')),
    );

    const parsed = await client.chat.completions
      .stream({ model: 'scripted', messages: [...messages], response_format: zodResponseFormat(Weather, 'weather') })
      .finalChatCompletion();
    const timed = await client.chat.completions
      .stream({ model: 'scripted', messages: [...messages] })
      .finalChatCompletion();

    const chunks = await client.chat.completions.create({ model: 'scripted', messages: [...messages], stream: true });
    let text = '';
    // As a client does that never looks whether there is a choice.
    for await (const { choices } of chunks) text += (choices as [(typeof choices)[0]])[0].delta.content ?? '';

    expect(parsed.choices[0]?.message.parsed).toEqual({ city: 'Paris', rain: true });
    expect(timed.choices).toMatchObject([{ message: { content: 'ifornust' }, finish_reason: 'length' }]);
    expect(text).toBe('ifornust');
  });
});

/** A tool that a backend which only chats lacks, and one that it has. */
function tools(): OpenAI.Responses.Tool[] {
  return [
    { type: 'web_search' },
    { type: 'function', name: 'get_weather', strict: true, parameters: WEATHER_PARAMETERS },
  ];
}

function call(): object {
  return { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
}
