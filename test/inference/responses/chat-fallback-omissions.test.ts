import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { wsClient } from '../../support/builders/graphql-clients.js';
import { startGateway } from '../../support/servers/gateway.js';
import { completion, stream, wholeStream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const FUNCTION = { type: 'function', name: 'f', parameters: { type: 'object' } };
const IN_CHAT = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };

describe('what a response asks for beside its answer, of a backend that only chats', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  const respond = (body: object) => gateway.post('/v1/responses', { model: 'scripted', input: 'Hi', ...body });

  it.each([
    ['include[0]', { include: ['reasoning.encrypted_content'] }],
    ['include[1]', { include: ['message.output_text.logprobs', 'file_search_call.results'] }],
    ['reasoning.summary', { reasoning: { effort: null, summary: 'auto' } }],
    ['reasoning.generate_summary', { reasoning: { generate_summary: 'concise' } }],
    ['reasoning.context', { reasoning: { context: 'all_turns' } }],
    ['stream_options.include_obfuscation', { stream_options: { include_obfuscation: true } }],
    ['max_tool_calls', { max_tool_calls: 3 }],
    ['prompt_cache_key', { prompt_cache_key: 'k' }],
    ['prompt_cache_retention', { prompt_cache_retention: '24h' }],
    ['safety_identifier', { safety_identifier: 's' }],
    ['service_tier', { service_tier: 'auto' }],
    ['user', { user: 'u' }],
    ['client_metadata', { client_metadata: { a: 'b' } }],
    ['tools[0]', { tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: true }],
    ['tools[0]', { tools: [{ type: 'mcp', server_label: 'm' }], tool_choice: 'none' }],
  ])('leaves out %s, and names it, whole and streamed', async (path, fields) => {
    gateway.backend.answer(completion('Hello.'), stream(...wholeStream('Hello.')));

    const answers = [await respond(fields), await respond({ ...fields, stream: true })];

    expect(answers.map(({ status, headers }) => [status, headers.get('x-omitted-fields')])).toEqual([
      [200, path],
      [200, path],
    ]);
    const [{ body: asked } = { body: undefined }] = gateway.backend.requests;
    const { logprobs: _logprobs, ...others } = asked;
    expect(others).toEqual({ model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] });
  });

  it('is named again where the answer is told again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    gateway.backend.answer(completion('Hello.'));
    const send = () =>
      gateway.platform.request('POST', '/v1/responses', {
        token: gateway.token,
        body: { model: 'scripted', input: 'Hi', service_tier: 'auto' },
        headers,
      });

    const answers = [await send(), await send()];

    expect(answers.map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(answers.map((answer) => answer.headers.get('x-omitted-fields'))).toEqual(['service_tier', 'service_tier']);
  });

  it('is named in the extensions of GraphQL, on every transport', async () => {
    const { platform, backend, token } = gateway;
    const body = { model: 'scripted', input: 'Hi', service_tier: 'auto' };
    const mutation = {
      query: 'mutation ($body: JSON!) { createResponse(body: $body) { status } }',
      variables: { body },
    };
    const subscription = {
      query: 'subscription ($body: JSON!) { responseStream(body: $body) { type } }',
      variables: { body },
    };
    backend.answer(completion('Hello.'), stream(...wholeStream('Hello.')), stream(...wholeStream('Hello.')));

    const overHttp = await platform.graphql(mutation.query, mutation.variables, token);
    const overSse = await platform.request('POST', '/graphql', {
      token,
      body: subscription,
      headers: { accept: 'text/event-stream' },
    });
    const client = wsClient({ url: platform.url, token });
    const overWs = [];
    for await (const result of client.iterate(subscription)) overWs.push(result.extensions);
    await client.dispose();

    const extensions = { omittedFields: ['service_tier'] };
    expect(overHttp.body.extensions).toEqual(extensions);
    expect(overHttp.headers.get('x-omitted-fields')).toBe('service_tier');
    expect(overSse.body.split('\n').filter((line: string) => line.includes(JSON.stringify(extensions)))).toHaveLength(
      1,
    );
    expect(overWs[0]).toEqual(extensions);
    expect(overWs.slice(1).filter(Boolean)).toEqual([]);
  });

  it('names nothing where nothing is left out', async () => {
    const { headers } = await respond({
      metadata: { a: 'b' },
      store: false,
      reasoning: { effort: 'low', summary: null },
      include: [],
      max_tool_calls: null,
      stream_options: { include_obfuscation: false },
      tools: [FUNCTION],
    });

    expect(headers.get('x-omitted-fields')).toBeNull();
  });

  it('leaves out tools that the model server cannot have, beside functions', async () => {
    const hosted = ['web_search', 'file_search', 'code_interpreter', 'image_generation', 'local_shell', 'custom'];
    const tools = [...hosted.map((type) => ({ type })), FUNCTION];

    const choices = [undefined, 'auto', 'required', { type: 'function', name: 'f' }];
    const answers = [];
    for (const choice of choices) answers.push(await respond({ tools, tool_choice: choice }));

    const omitted = hosted.map((_, index) => `tools[${index}]`).join(', ');
    expect(answers.map(({ status, headers }) => [status, headers.get('x-omitted-fields')])).toEqual(
      choices.map(() => [200, omitted]),
    );
    expect(gateway.backend.requests.map(({ body }) => [body.tools, body.tool_choice])).toEqual([
      [[IN_CHAT], undefined],
      [[IN_CHAT], 'auto'],
      [[IN_CHAT], 'required'],
      [[IN_CHAT], { type: 'function', function: { name: 'f' } }],
    ]);
    expect(answers[0]?.body.tools).toMatchObject(tools);
  });

  it.each([
    { tools: [{ type: 'web_search' }], tool_choice: 'required' },
    { tools: [{ type: 'web_search' }, FUNCTION], tool_choice: { type: 'web_search' } },
    { tools: [{ type: 'custom', name: 'c' }, FUNCTION], tool_choice: { type: 'custom', name: 'c' } },
    { tools: [{ type: 'custom', name: 'c' }, FUNCTION], tool_choice: { type: 'function', name: 'c' } },
  ])('refuses a choice of a tool that would be left out: %j', async (fields) => {
    const { status, body, headers } = await respond(fields);

    expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', 'tool_choice']);
    expect(headers.get('x-omitted-fields')).toBeNull();
    expect(gateway.backend.requests).toEqual([]);
  });

  it('names at most fifty fields, and no word that is not of a path', async () => {
    const tools = Array.from({ length: 60 }, () => ({ type: 'web_search' }));

    const { status, headers } = await respond({ tools, stream_options: { 'a\r\nb': true, ü: true } });

    expect(status).toBe(200);
    expect(headers.get('x-omitted-fields')?.split(', ')).toEqual(
      Array.from({ length: 50 }, (_, index) => `tools[${index}]`),
    );
  });

  it('is named over GraphQL too', async () => {
    const { headers, body } = await gateway.post('/graphql', {
      query: 'mutation ($body: JSON!) { createResponse(body: $body) { outputText } }',
      variables: { body: { model: 'scripted', input: 'Hi', user: 'u', max_tool_calls: 1 } },
    });

    expect(body.data.createResponse.outputText).toBe('Hello.');
    expect(headers.get('x-omitted-fields')).toBe('user, max_tool_calls');
  });

  it('is passed as it came to a backend that has responses', async () => {
    const other = await startGateway();
    const fields = { include: ['reasoning.encrypted_content'], user: 'u', tools: [{ type: 'web_search' }] };

    const { headers } = await other.post('/v1/responses', { model: 'scripted', input: 'Hi', ...fields });

    expect(other.backend.requests[0]?.body).toMatchObject(fields);
    expect(headers.get('x-omitted-fields')).toBeNull();
    await other.close();
  });

  it('has log probabilities where they are asked for, whole and streamed', async () => {
    const logprobs = [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }];
    const choice = { index: 0, logprobs: { content: logprobs } };
    const piece = { id: 'c', choices: [{ ...choice, delta: { content: 'Hi' }, finish_reason: null }] };
    gateway.backend.answer(
      completion('', { choices: [{ ...choice, message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      stream(`data: ${JSON.stringify(piece)}\n\n`, ...wholeStream()),
    );
    const asked = { include: ['message.output_text.logprobs'], top_logprobs: 2 };

    const whole = await respond(asked);
    const streamed = await respond({ ...asked, stream: true });

    expect(gateway.backend.requests[0]?.body).toMatchObject({ logprobs: true, top_logprobs: 2 });
    expect(whole.headers.get('x-omitted-fields')).toBeNull();
    expect(whole.body.output[0].content[0].logprobs).toEqual(logprobs);
    const told = JSON.stringify(logprobs);
    for (const type of [
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]) {
      const event = new RegExp(`^data: (.*"type":"response\\.${type}".*)$`, 'm').exec(streamed.body);
      expect([type, event?.[1]?.includes(told)]).toEqual([type, true]);
    }
  });
});
