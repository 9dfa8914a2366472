import { afterEach, describe, expect, it } from '@jest/globals';
import { ToolCallPlaces } from '../../../src/inference/completions/tool-call-places.js';
import type { JsonObject } from '../../../src/platform/json/json-object.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { openaiClient } from '../../support/builders/openai-client.js';
import { namedEventsOf } from '../../support/builders/response-streams.js';
import { chunk, DONE, json, stream, USAGE } from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const PARIS = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } };
const ROME = { id: 'c2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };

describe('calls of tools in a stream', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  it.each<[string, object[][]]>([
    ['have no index', [[PARIS], [ROME]]],
    ['have no index, both in one chunk', [[PARIS, ROME]]],
    ['all have index 0', [[{ index: 0, ...PARIS }], [{ index: 0, ...ROME }]]],
    ['have an index that is null', [[{ index: null, ...PARIS }], [{ index: null, ...ROME }]]],
    ['have indexes that are texts', [[{ index: '0', ...PARIS }], [{ index: '1', ...ROME }]]],
    ['come in pieces without index', [...pieces({}, PARIS), ...pieces({}, ROME)]],
    ['come in pieces of index 0', [...pieces({ index: 0 }, PARIS), ...pieces({ index: 0 }, ROME)]],
  ])('are two that clients can gather where they %s', async (_how, chunks) => {
    const role = chunk({ role: 'assistant', content: null });
    const script = stream(role, ...chunks.map((calls) => chunk({ tool_calls: calls })), chunk({}, 'tool_calls'), DONE);
    gateway.backend.answer(script, script, script, script);
    const query = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { raw } }';
    const body = { model: 'scripted', messages: [{ role: 'user', content: 'Weather?' }] };
    const client = sseClient({ url: gateway.platform.url, token: gateway.token });

    const chatted = eventsOf((await gateway.chat({ stream: true })).body) as AnyJson[];
    const gathered = await openaiClient(gateway)
      .chat.completions.stream(body as never)
      .finalChatCompletion();
    const subscribed: AnyJson[] = [];
    for await (const { data } of client.iterate({ query, variables: { body } }))
      subscribed.push((data as AnyJson).chatCompletionStream.raw);
    const responded = namedEventsOf((await gateway.respond({ stream: true })).body);

    for (const events of [chatted, subscribed]) expect(callsOf(events)).toEqual([PARIS, ROME]);
    expect(gathered.choices[0]?.message.tool_calls).toMatchObject([PARIS, ROME]);
    const { output } = (responded.at(-1) as AnyJson).response;
    expect(output.map(({ call_id: id, arguments: given }: AnyJson) => [id, given])).toEqual([
      ['c1', PARIS.function.arguments],
      ['c2', ROME.function.arguments],
    ]);
  });

  it('are passed on as they came where each has an index of its own', async () => {
    const frames = [chunk({ tool_calls: [{ index: 1, ...PARIS }] }), chunk({ tool_calls: [{ index: 0, ...ROME }] })];
    gateway.backend.answer(stream(...frames, chunk({}, 'tool_calls'), DONE));

    const { body } = await gateway.chat({ stream: true });

    expect(body).toBe([...frames, chunk({}, 'tool_calls'), DONE].join(''));
  });
});

describe('calls of tools in a response', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  it.each([
    [{ city: 'Paris' }, PARIS.function.arguments],
    [null, ''],
  ])('have their arguments as text where a server sends %j', async (given, text) => {
    const call = { ...PARIS, function: { name: 'weather', arguments: given } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    gateway.backend.answer(
      json(200, { id: 'c', object: 'chat.completion', created: 1, model: 'scripted', choices, usage: USAGE }),
      stream(chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, 'tool_calls'), DONE),
    );

    const { body: whole } = await gateway.respond({});
    const streamed = namedEventsOf((await gateway.respond({ stream: true })).body) as AnyJson[];

    expect(whole.output[0].arguments).toBe(text);
    expect(streamed.at(-1)?.response.output[0].arguments).toBe(text);
  });
});

describe('the places of calls of tools', () => {
  const called = (name: string, given: string) => ({ function: { name, arguments: given } });
  const more = (given: string) => ({ function: { arguments: given } });

  it.each<[string, JsonObject[], number[]]>([
    [
      'a new id with every piece',
      [
        { index: 0, id: 'a', ...called('f', '') },
        { index: 0, id: 'b', ...more('{') },
        { index: 0, id: 'c', ...more('}') },
      ],
      [0, 0, 0],
    ],
    [
      'an id that comes later',
      [
        { index: 0, ...called('f', '') },
        { index: 0, id: 'a', ...more('{}') },
      ],
      [0, 0],
    ],
    [
      'the same id with every piece',
      [
        { id: 'a', ...called('f', '{') },
        { id: 'b', ...called('f', '{') },
        { id: 'a', ...more('}') },
      ],
      [0, 1, 0],
    ],
    [
      'the name with every piece',
      [
        { index: 0, id: 'a', ...called('f', '{') },
        { index: 0, id: 'a', ...called('f', '}') },
      ],
      [0, 0],
    ],
    [
      'indexes from 1 on',
      [
        { index: 1, id: 'a' },
        { index: 2, id: 'b' },
        { index: 1, ...more('{}') },
      ],
      [1, 2, 1],
    ],
    [
      'the next index with every piece',
      [
        { index: 0, id: 'a', ...called('f', '') },
        { index: 1, ...more('{') },
        { index: 2, ...more('}') },
        { index: 1, id: 'b', ...called('f', '{}') },
      ],
      [0, 0, 0, 1],
    ],
    [
      'one id for calls of other indexes',
      [
        { index: 0, id: 'a', ...called('f', '{') },
        { index: 1, id: 'a', ...called('f', '{') },
        { index: 0, id: 'a', ...more('}') },
        { index: 1, ...more('}') },
      ],
      [0, 1, 0, 1],
    ],
    [
      'one id and one index for all calls',
      [
        { index: 0, id: 'a', ...called('f', '{}') },
        { index: 0, id: 'a', ...called('g', '{}') },
      ],
      [0, 1],
    ],
    [
      'one index and no id',
      [
        { index: 0, ...called('f', '{}') },
        { index: 0, ...called('g', '{') },
        { index: 0, ...more('}') },
      ],
      [0, 1, 1],
    ],
    ['neither index nor id', [called('f', '{}'), called('f', '{'), more('}')], [0, 1, 1]],
    [
      'a name in two pieces',
      [
        { index: 0, ...called('f', '') },
        { index: 0, ...called('g', '') },
        { index: 0, ...called('fg', '{}') },
      ],
      [0, 0, 0],
    ],
    [
      'negative indexes',
      [
        { index: -1, id: 'a' },
        { index: -1, id: 'b' },
      ],
      [0, 1],
    ],
  ])('are told apart where a server sends %s', (_what, sent, expected) => {
    const places = new ToolCallPlaces();

    for (const piece of sent) places.number([piece]);

    expect(sent.map(({ index }) => index)).toEqual(expected);
  });

  it('go on under the id that they began with', () => {
    const places = new ToolCallPlaces();
    const sent: JsonObject[] = ['a', 'b', '', null].map((id) => ({ index: 0, id, ...more('{') }));

    const changed = sent.map((piece) => places.number([piece]));

    expect(sent.map(({ id }) => id)).toEqual(['a', 'a', '', null]);
    expect(changed).toEqual([false, true, false, false]);
  });

  it('are bounded', () => {
    const places = new ToolCallPlaces({ calls: 1_000 });
    const calls = Array.from({ length: 1_001 }, (_, at) => ({ id: `c${at}` }));

    expect(() => places.number(calls)).toThrow('too many tools');
    expect(() => places.number([{ id: 'x'.repeat(1_025) }])).toThrow('too long an id');
    expect(() => new ToolCallPlaces().number([called('x'.repeat(1_025), '')])).toThrow('name is too long');
  });
});

/** A call as a server streams it: its name first, then its arguments in two pieces. */
function pieces(members: object, { id, type, function: { name, arguments: given } }: typeof PARIS): object[][] {
  return [
    [{ ...members, id, type, function: { name, arguments: '' } }],
    [{ ...members, function: { arguments: given.slice(0, 5) } }],
    [{ ...members, function: { arguments: given.slice(5) } }],
  ];
}

/** The calls of a stream as a client gathers them: by a numeric index. */
function callsOf(events: readonly AnyJson[]): AnyJson[] {
  const calls: AnyJson[] = [];
  for (const { index, ...piece } of events.flatMap(({ choices }) => choices?.[0]?.delta.tool_calls ?? [])) {
    expect(Number.isInteger(index)).toBe(true);
    if (calls[index]) calls[index].function.arguments += piece.function.arguments;
    else calls[index] = structuredClone(piece);
  }
  return calls;
}
