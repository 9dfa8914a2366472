import { afterEach, describe, expect, it } from '@jest/globals';
import { helloTo, json } from '../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';
import { useGateway, usePlatform } from '../../support/servers/use-servers.js';

const USER = { role: 'user', content: 'Hello?' };
const SYSTEM = { role: 'system', content: 'Be brief.' };
const DEVELOPER = { role: 'developer', content: 'Be kind.' };
const BOTH = { role: 'system', content: 'Be brief.\n\nBe kind.' };
const PARTS = [
  { type: 'text', text: 'Look:' },
  { type: 'image_url', image_url: { url: 'data:,' } },
];

describe('the messages that a model server gets', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  it('begin with the one system message that there is, whatever the transport', async () => {
    gateway.backend.byDefault = strictTemplate;
    const messages = [SYSTEM, USER, DEVELOPER];
    const query = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }';

    const whole = await gateway.chat({ messages });
    const streamed = await gateway.chat({ messages, stream: true });
    const graph = await gateway.graphql(query, { body: { model: 'scripted', messages } });
    const response = await gateway.respond({ instructions: 'Be brief.', input: [USER, DEVELOPER] });
    const events = await gateway.respond({ instructions: 'Be brief.', input: [USER, DEVELOPER], stream: true });

    expect([whole, streamed, response, events].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(eventsOf(streamed.body)).not.toContainEqual(expect.objectContaining({ error: expect.anything() }));
    expect(graph.body.errors).toBeUndefined();
    expect(gateway.backend.requests.map(({ body }) => body.messages)).toEqual(Array(5).fill([BOTH, USER]));
  });

  it.each<[messages: unknown[], sent: unknown[]]>([
    [
      [DEVELOPER, USER],
      [{ ...DEVELOPER, role: 'system' }, USER],
    ],
    [
      [{ role: 'system', content: PARTS.slice(0, 1) }, USER],
      [{ role: 'system', content: PARTS.slice(0, 1) }, USER],
    ],
    [
      [{ role: 'system', content: PARTS.slice(0, 1) }, USER, SYSTEM],
      [{ role: 'system', content: 'Look:\n\nBe brief.' }, USER],
    ],
    [
      [SYSTEM, { role: 'system', content: PARTS }],
      [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }, ...PARTS] }],
    ],
    [
      [{ role: 'system', content: null }, SYSTEM, USER],
      [SYSTEM, USER],
    ],
    [[USER], [USER]],
  ])('of %j are %j', async (messages, sent) => {
    await gateway.chat({ messages });

    expect(gateway.backend.requests[0]?.body.messages).toEqual(sent);
  });

  it.each(['', ' ', null, undefined])('have {} as the arguments of a call that has %j', async (given) => {
    const called = { name: 'now', ...(given !== undefined && { arguments: given }) };
    const call = { id: 'c1', type: 'function', function: called };
    const messages = [USER, { role: 'assistant', content: null, tool_calls: [call], function_call: called }];

    await gateway.chat({ messages });
    await gateway.respond({ input: [USER, { type: 'function_call', call_id: 'c1', ...called }] });

    const filled = { ...called, arguments: '{}' };
    const [chatted, responded] = gateway.backend.requests.map(({ body }) => body.messages[1]);
    expect(chatted).toMatchObject({ tool_calls: [{ ...call, function: filled }], function_call: filled });
    expect(responded).toMatchObject({ tool_calls: [{ function: filled }] });
  });

  function strictTemplate(request: ReceivedRequest): Script {
    const roles = request.body.messages.map(({ role }: { role: string }) => role);
    const isStrict = roles.lastIndexOf('system') === 0 && !roles.includes('developer');
    return isStrict ? helloTo(request) : json(400, { error: { message: 'System message must be at the beginning.' } });
  }
});

describe('the messages that a server gets which knows developers', () => {
  const supports = ['chat', 'chat_developer', 'responses'];
  const gateway = useGateway({ backends: [{ supports }] });

  it('have the roles of the client', async () => {
    const messages = [SYSTEM, USER, DEVELOPER];

    await gateway.chat({ messages });

    expect(gateway.backend.requests[0]?.body.messages).toEqual(messages);
  });

  it('have arguments in its own responses too', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'now', arguments: '' };
    gateway.backend.answer(json(200, { id: 'r', output: [] }));
    gateway.backend.requests.length = 0;

    await gateway.respond({ input: [DEVELOPER, item] });

    expect(gateway.backend.requests[0]?.body.input).toEqual([DEVELOPER, { ...item, arguments: '{}' }]);
  });
});

describe('an unknown role', () => {
  const platform = usePlatform();

  it.each([
    ['/v1/chat/completions', 'messages[0].role', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['/v1/knowledgebase/chat/completions', 'messages[0].role', { messages: [{ role: 'System', content: 'x' }] }],
    ['/v1/responses', 'input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
  ])('is 400 from %s, on the builtin model too', async (path, param, body) => {
    const token = (await platform.login()).access_token;

    const answer = await platform.request('POST', path, { token, body: { model: 'builtin-extractive', ...body } });

    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'bad_request', param]);
    expect(answer.body.error.message).toContain('system, developer, user, assistant');
  });
});
