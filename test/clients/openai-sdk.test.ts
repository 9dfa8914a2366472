import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { completion, cutOff, htmlPage, json, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { openaiClient } from '../support/builders/openai-client.js';
import { WEATHER_PARAMETERS } from '../support/builders/weather-tool.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';
import { countLimited, whileQuotaIsExceeded } from './exceeded-quota.js';

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Say hello.' }];
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: WEATHER_PARAMETERS } },
];

describe(clientTitle('openai'), () => {
  const gateway = useGateway();
  let client: OpenAI;

  beforeAll(async () => {
    client = openaiClient(gateway);
  });

  it('lists and retrieves models', async () => {
    const ids: string[] = [];
    // Which engines of speech run beside them, the machine decides.
    for await (const { id, owned_by: owner } of client.models.list()) {
      if (owner !== 'builtin' || /^builtin-(extractive|hash)/.test(id)) ids.push(id);
    }

    const model = await client.models.retrieve('scripted');

    expect(ids.sort()).toEqual(['builtin-extractive', 'builtin-hash-embedding', 'scripted']);
    expect(model).toMatchObject({ id: 'scripted', object: 'model', owned_by: 'tests', created: 1_760_000_000 });
  });

  it('chats', async () => {
    gateway.backend.answer(completion('Hello!'));

    const answer = await client.chat.completions.create({ model: 'scripted', messages, temperature: 0.5 });

    expect(answer.choices[0]?.message.content).toBe('Hello!');
    expect(answer.usage?.total_tokens).toBe(10);
    expect(gateway.backend.requests.at(-1)?.body).toMatchObject({ model: 'scripted', messages, temperature: 0.5 });
  });

  it('streams', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));

    const chunks = await client.chat.completions.create({ model: 'scripted', messages, stream: true });
    let text = '';
    for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? '';

    expect(text).toBe('Hello!');
  });

  it('gathers a stream with its helper', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));

    const answer = await client.chat.completions.stream({ model: 'scripted', messages }).finalChatCompletion();

    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello!' },
    });
  });

  it('passes tools and gets their calls', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    gateway.backend.answer(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));

    const answer = await client.chat.completions.create({
      model: 'scripted',
      messages,
      tools,
      tool_choice: 'required',
    });

    expect(answer.choices[0]?.message.tool_calls).toEqual([call]);
    expect(gateway.backend.requests.at(-1)?.body).toMatchObject({ tools, tool_choice: 'required' });
  });

  it('maps our errors to its own', async () => {
    const anonymous = new OpenAI({ baseURL: `${gateway.platform.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    const chat = (model: string) => client.chat.completions.create({ model, messages });

    await expect(anonymous.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(chat('none')).rejects.toMatchObject({ status: 404, code: 'model_not_found', type: 'not_found_error' });
    await expect(client.chat.completions.create({ model: 'scripted', messages: [] })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
    gateway.backend.answer(htmlPage(502));
    await expect(chat('scripted')).rejects.toMatchObject({ status: 502, code: 'bad_upstream', type: 'upstream_error' });
    gateway.backend.answer(json(422, { error: { message: 'no such tool', code: 422 } }));
    await expect(chat('scripted')).rejects.toMatchObject({ status: 422, type: 'invalid_request_error' });
  });

  it('does not try again what it is told not to', async () => {
    const retrying = new OpenAI({ baseURL: `${gateway.platform.url}/v1`, apiKey: client.apiKey, maxRetries: 2 });
    const before = gateway.backend.requests.length;
    gateway.backend.answer(json(409, { error: { message: 'busy', code: 409 } }));

    await expect(retrying.chat.completions.create({ model: 'scripted', messages })).rejects.toMatchObject({
      status: 409,
    });

    expect(gateway.backend.requests.length - before).toBe(1);
  });

  it('takes an exceeded quota for a rate limit, and does not try again', async () => {
    const retrying = new OpenAI({ baseURL: `${gateway.platform.url}/v1`, apiKey: client.apiKey, maxRetries: 2 });
    const before = countLimited(gateway);

    const error = await whileQuotaIsExceeded(gateway, () =>
      retrying.chat.completions.create({ model: 'scripted', messages }).catch((reason: unknown) => reason),
    );

    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(countLimited(gateway) - before).toBe(1);
  });

  it('sees an error in a stream that was cut', async () => {
    gateway.backend.answer(cutOff(...wholeStream('Hel').slice(0, 2)));

    const chunks = await client.chat.completions.create({ model: 'scripted', messages, stream: true });
    const read = async () => {
      for await (const chunk of chunks) void chunk;
    };

    await expect(read()).rejects.toMatchObject({ code: 'bad_upstream' });
  });
});
