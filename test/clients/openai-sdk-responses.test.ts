import { beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { completeEvents, response } from '../support/builders/response-streams.js';
import { cutOff, json, stream } from '../support/servers/scripted-backend.js';
import { recordedBody } from '../support/probes/stream-probe.js';
import { openaiClient } from '../support/builders/openai-client.js';
import { WEATHER_PARAMETERS } from '../support/builders/weather-tool.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'get_weather', strict: true, parameters: WEATHER_PARAMETERS },
];

describe(clientTitle('openai'), () => {
  const gateway = useGateway();
  let client: OpenAI;

  beforeAll(async () => {
    client = openaiClient(gateway);
  });

  it('responds, and goes on from a response', async () => {
    gateway.backend.answer(json(200, JSON.parse(recordedBody('resp').toString())), response('Two.'));

    const first = await client.responses.create({ model: 'scripted', input: 'Hello?' });
    const second = await client.responses.create({ model: 'scripted', input: 'More.', previous_response_id: first.id });

    expect(first.output_text).toBe('ляр estable気 academ');
    expect([second.output_text, second.previous_response_id]).toEqual(['Two.', first.id]);
  });

  it('iterates over a stream', async () => {
    gateway.backend.answer(stream(...completeEvents('Hel', 'lo')));

    const events = await client.responses.create({ model: 'scripted', input: 'Hello?', stream: true });
    let text = '';
    for await (const event of events) if (event.type === 'response.output_text.delta') text += event.delta;

    expect(text).toBe('Hello');
  });

  it('gathers what llama.cpp streamed with its helper', async () => {
    gateway.backend.answer(stream(recordedBody('resp_stream')));

    const helper = client.responses.stream({ model: 'scripted', input: 'Hello?' });
    const snapshots: string[] = [];
    helper.on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot));
    const final = await helper.finalResponse();

    expect(snapshots).toEqual(['首', '首HC', '首HC важ']);
    expect(final.output_text).toBe('首HC важ');
    expect(final.usage?.input_tokens).toBe(63);
  });

  it('gathers the tool calls that llama.cpp streamed with its helper', async () => {
    gateway.backend.answer(stream(recordedBody('resp_tool_stream')));

    const helper = client.responses.stream({ model: 'scripted', input: 'Weather?', tools });
    const gathered: Record<number, string> = {};
    helper.on(
      'response.function_call_arguments.delta',
      ({ output_index, snapshot }) => (gathered[output_index] = snapshot),
    );
    const { output } = await helper.finalResponse();

    const calls = output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([
      { city: 'Paris' },
      { city: 'Rome' },
      { city: 'Rome' },
    ]);
    expect(Object.values(gathered)).toEqual(calls.map((call) => call.arguments));
  });

  it('sees that a response has failed whose stream was cut', async () => {
    gateway.backend.answer(cutOff(...completeEvents('Hello').slice(0, 4)));

    const final = await client.responses.stream({ model: 'scripted', input: 'Hello?' }).finalResponse();

    expect(final).toMatchObject({ status: 'failed', error: { code: 'bad_upstream' } });
  });

  it('gathers a response of the builtin model', async () => {
    const builtin = client.responses.stream({
      model: 'builtin-extractive',
      instructions: 'The office opens at nine. Lunch is at noon.',
      input: 'When is lunch?',
    });
    const final = await builtin.finalResponse();

    expect(final.output_text).toBe('Lunch is at noon.');
    expect(final).toMatchObject({ status: 'completed', usage: { total_tokens: expect.any(Number) } });
  });

  it('embeds, in base64 unless told otherwise', async () => {
    gateway.backend.answer(json(200, JSON.parse(recordedBody('emb_b64').toString())));

    const recorded = await client.embeddings.create({ model: 'scripted', input: 'Hello?' });
    const builtin = await client.embeddings.create({ model: 'builtin-hash-embedding', input: ['a', 'b'] });

    expect(gateway.backend.requests.at(-1)?.body).not.toHaveProperty('encoding_format');
    expect(recorded.data[0]?.embedding.slice(0, 2).map((value) => value.toFixed(4))).toEqual(['-0.0499', '0.2847']);
    expect(builtin.data.map(({ embedding }) => embedding.length)).toEqual([384, 384]);
  });

  it('completes, at once and streamed', async () => {
    gateway.backend.answer(json(200, JSON.parse(recordedBody('comp').toString())), stream(recordedBody('comp_stream')));

    const whole = await client.completions.create({ model: 'scripted', prompt: 'One' });
    const chunks = await client.completions.create({ model: 'scripted', prompt: 'One', stream: true });
    let text = '';
    for await (const { choices } of chunks) text += choices[0]?.text ?? '';

    expect([whole.choices[0]?.text, text]).toEqual([' supporting gapwidth appropriate', ' supporting gap']);
  });
});
