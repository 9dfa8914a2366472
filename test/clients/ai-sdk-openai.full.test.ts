import { describe, expect, it } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, embedMany, generateText, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { completeEvents, namedEvent, response, responseObject } from '../support/builders/response-streams.js';
import { completion, stream } from '../support/servers/scripted-backend.js';
import { responseWeatherCall, WEATHER_CALL_ITEM } from '../support/builders/weather-tool.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';
import { countLimited, whileQuotaIsExceeded } from './exceeded-quota.js';

const weather = tool({ description: 'The weather of a city.', inputSchema: z.object({ city: z.string() }) });

describe(clientTitle('@ai-sdk/openai'), () => {
  const gateway = useGateway();

  it('responses, with their usage', async () => {
    gateway.backend.answer(response('Hello!'));

    const { text, usage } = await generateText(request());

    expect([text, usage.totalTokens]).toEqual(['Hello!', 7]);
    expect(gateway.backend.requests.at(-1)?.path).toBe('/v1/responses');
  });

  it('responses streamed', async () => {
    gateway.backend.answer(stream(...completeEvents('Hel', 'lo!')));

    const { textStream } = streamText(request());
    let text = '';
    for await (const piece of textStream) text += piece;

    expect(text).toBe('Hello!');
  });

  it('tools', async () => {
    gateway.backend.answer(responseWeatherCall());

    const { toolCalls } = await generateText({ ...request(), tools: { weather } });

    expect(toolCalls).toEqual([expect.objectContaining({ toolName: 'weather', input: { city: 'Bern' } })]);
  });

  it('tools streamed', async () => {
    const place = { item_id: 'fc_1', output_index: 0 };
    const events: [string, object][] = [
      ['response.created', { response: responseObject('', { status: 'in_progress', output: [], usage: null }) }],
      [
        'response.output_item.added',
        { output_index: 0, item: { ...WEATHER_CALL_ITEM, arguments: '', status: 'in_progress' } },
      ],
      ['response.function_call_arguments.delta', { ...place, delta: '{"city":' }],
      ['response.function_call_arguments.delta', { ...place, delta: '"Bern"}' }],
      ['response.function_call_arguments.done', { ...place, arguments: WEATHER_CALL_ITEM.arguments }],
      ['response.output_item.done', { output_index: 0, item: WEATHER_CALL_ITEM }],
      ['response.completed', { response: responseObject('', { output: [WEATHER_CALL_ITEM] }) }],
    ];
    gateway.backend.answer(
      stream(...events.map(([type, members], sequence) => namedEvent(type, { sequence_number: sequence, ...members }))),
    );

    const { toolCalls } = streamText({ ...request(), tools: { weather } });

    expect(await toolCalls).toEqual([expect.objectContaining({ toolName: 'weather', input: { city: 'Bern' } })]);
  });

  it('structured output', async () => {
    gateway.backend.answer(response('{"city":"Bern"}'));

    const { output } = await generateText({
      ...request(),
      output: Output.object({ schema: z.object({ city: z.string() }) }),
    });

    expect(output).toEqual({ city: 'Bern' });
    expect(gateway.backend.requests.at(-1)?.body.text.format.type).toBe('json_schema');
  });

  it('chat completions', async () => {
    gateway.backend.answer(completion('Hello!'));

    const { text } = await generateText({ ...request(), model: provider().chat('scripted') });

    expect(text).toBe('Hello!');
  });

  it('embeddings', async () => {
    const model = provider().embedding('builtin-hash-embedding');

    const { embeddings } = await embedMany({ model, values: ['one text', 'another text'], maxRetries: 0 });

    expect(embeddings.map((vector) => vector.length)).toEqual([384, 384]);
  });

  it('errors: 404 model_not_found, 429', async () => {
    const missing = await generateText(request('none')).catch((error: unknown) => error);
    const limited = await whileQuotaIsExceeded(gateway, () => generateText(request()).catch((error: unknown) => error));

    expect([missing, limited].map((error) => APICallError.isInstance(error))).toEqual([true, true]);
    expect(missing).toMatchObject({ statusCode: 404, message: 'The model none does not exist.', isRetryable: false });
    expect(limited).toMatchObject({ statusCode: 429, data: { error: { code: 'rate_limit_exceeded' } } });
  });

  it('breaks by itself: tries again where `x-should-retry: false` says that it is of no use', async () => {
    const before = countLimited(gateway);

    await whileQuotaIsExceeded(gateway, () => generateText({ ...request(), maxRetries: 1 }).catch(() => undefined));

    expect(countLimited(gateway) - before).toBe(2);
  });

  function provider() {
    return createOpenAI({ baseURL: `${gateway.platform.url}/v1`, apiKey: gateway.token });
  }

  function request(model = 'scripted') {
    return { model: provider()(model), prompt: 'Say hello.', maxRetries: 0 };
  }
});
