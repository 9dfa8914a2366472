import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { namedEventsOf } from '../../support/builders/response-streams.js';
import { DONE, chunk, completion, stream, usageChunk } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const TURN = JSON.parse(readFileSync(new URL('../../fixtures/codex-cli/turn.json', import.meta.url), 'utf8'));

describe('a coding agent before a backend that only chats', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  it('has a turn of Codex CLI run, with all that chat knows', async () => {
    gateway.backend.answer(
      stream(callChunk(0, 'mcp__docs__search', '{"query":'), callChunk(1, 'exec_command', '{"cmd":"ls"}'), DONE),
    );

    const { status, headers, body } = await gateway.respond(TURN);

    expect([status, headers.get('x-omitted-fields')?.split(', ')]).toEqual([
      200,
      [
        'include[0]',
        'reasoning.summary',
        'prompt_cache_key',
        'client_metadata',
        'tools[2]',
        'tools[3]',
        'tools[4]',
        'tools[5]',
        'tools[6]',
        'tools[7].description',
        'tools[7].tools[1]',
      ],
    ]);
    const { messages, tools, ...fields } = gateway.backend.requests[0]?.body ?? {};
    expect(fields).toEqual({
      model: 'scripted',
      stream: true,
      stream_options: { include_usage: true },
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning_effort: 'medium',
      verbosity: 'low',
    });
    expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'exec_command',
      'update_plan',
      'mcp__docs__search',
    ]);
    expect(tools[2]).toEqual({
      type: 'function',
      function: {
        name: 'mcp__docs__search',
        description: 'Searches pages.',
        strict: false,
        parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    });
    expect(messages.map(({ role }: { role: string }) => role).join(' ')).toBe(
      'system user user assistant tool assistant tool assistant tool',
    );
    const calls = messages.flatMap((message: { tool_calls?: object[] }) => message.tool_calls ?? []);
    expect(calls.map((call: { function: object }) => call.function)).toEqual([
      { name: 'exec_command', arguments: TURN.input[5].arguments },
      { name: 'apply_patch', arguments: JSON.stringify({ input: TURN.input[7].input }) },
      { name: 'mcp__docs__search', arguments: '{"query":"hello"}' },
    ]);
    expect(messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_3',
      content: [
        { type: 'text', text: 'One page:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    });
    const called = namedEventsOf(body).filter(({ type }) => /output_item\.(added|done)$/.test(type));
    expect(called.map(({ item }) => [item.namespace, item.name, item.call_id])).toEqual([
      ['mcp__docs', 'search', 'c0'],
      [undefined, 'exec_command', 'c1'],
      ['mcp__docs', 'search', 'c0'],
      [undefined, 'exec_command', 'c1'],
    ]);
  });

  it('gets calls of functions in a namespace under their own names, and continues them', async () => {
    const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'mcp__docs__search', arguments: '{}' } }];
    const message = { role: 'assistant', content: null, tool_calls: toolCalls };
    gateway.backend.answer(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));

    const first = await gateway.respond({ ...TURN, stream: false, store: true });
    const input = [{ type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'Found.' }] }];
    await gateway.post(`/v1/responses/${first.body.id}/continue`, { ...TURN, input, stream: false });

    expect(first.body.output).toMatchObject([{ type: 'function_call', name: 'search', namespace: 'mcp__docs' }]);
    expect(gateway.backend.requests[1]?.body.messages.slice(-2)).toEqual([
      { role: 'assistant', content: null, tool_calls: toolCalls },
      { role: 'tool', tool_call_id: 'c1', content: 'Found.' },
    ]);
  });

  it('leaves out a function of a namespace whose name in chat is taken', async () => {
    const inner = { type: 'function', name: 'b', parameters: {} };
    const tools = [
      { type: 'namespace', name: 'a', tools: [inner] },
      { type: 'function', name: 'a__b' },
    ];

    const { status, headers } = await gateway.respond({ model: 'scripted', input: 'Hi', tools });

    expect([status, headers.get('x-omitted-fields')]).toEqual([200, 'tools[0].tools[0]']);
  });

  it('may add tools in its input, which count for the whole request', async () => {
    const added = [
      { type: 'namespace', name: 'functions', tools: [{ type: 'function', name: 'exec' }] },
      { type: 'custom' },
    ];
    const input = [
      { type: 'additional_tools', role: 'developer', tools: added },
      { role: 'user', content: 'Hi' },
    ];

    const { status, headers } = await gateway.respond({ model: 'scripted', input });

    expect([status, headers.get('x-omitted-fields')]).toEqual([200, 'input[0].tools[1]']);
    expect(gateway.backend.requests[0]?.body).toEqual({
      model: 'scripted',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'functions__exec' } }],
    });
  });

  it('may refer to an item that the conversation has, and to no other', async () => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: 'Yes?' };
    const input = (id: string) => [message, { type: 'item_reference', id }, { role: 'user', content: 'Hi' }];

    const known = await gateway.respond({ model: 'scripted', input: input('msg_1') });
    const unknown = await gateway.respond({ model: 'scripted', input: input('msg_2') });

    expect(known.status).toBe(200);
    expect(gateway.backend.requests[0]?.body.messages).toEqual([
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Hi' },
    ]);
    expect([unknown.status, unknown.body.error.param]).toEqual([409, 'input[1]']);
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('sees which item was cut by %s, whole and streamed', async (finish, reason) => {
    const call = { id: 'c0', type: 'function', function: { name: 'f', arguments: '{"a' } };
    const message = { role: 'assistant', content: 'Hel', tool_calls: [call] };
    gateway.backend.answer(
      completion('', { choices: [{ index: 0, message, finish_reason: finish }] }),
      stream(chunk({ content: 'Hel' }), callChunk(0, 'f', '{"a'), chunk({}, finish), usageChunk(), DONE),
      completion('', { choices: [{ index: 0, message: { content: 'Hel' }, finish_reason: finish }] }),
    );

    const whole = await gateway.respond({ model: 'scripted', input: 'Hi' });
    const streamed = await gateway.respond({ model: 'scripted', input: 'Hi', stream: true });
    const text = await gateway.respond({ model: 'scripted', input: 'Hi' });

    const events = namedEventsOf(streamed.body);
    const statuses = (output: { status: string }[]) => output.map(({ status }) => status);
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(statuses(whole.body.output)).toEqual(['completed', 'incomplete']);
    expect(statuses(done)).toEqual(['completed', 'incomplete']);
    expect(statuses(text.body.output)).toEqual(['incomplete']);
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason }, output: done },
    });
  });
});

function callChunk(index: number, name: string, given: string) {
  return chunk({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: given } }] });
}
