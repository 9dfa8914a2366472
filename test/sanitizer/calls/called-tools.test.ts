import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import type { AnyJson } from '../../support/probes/any-json.js';
import { openaiClient } from '../../support/builders/openai-client.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, DONE, stream } from '../../support/servers/scripted-backend.js';

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the weather?' }];
const NAMED = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } };

describe('the tools that a streamed answer calls', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start();
  });
  afterAll(() => calls.close());

  it.each(['email', 'iban', 'person_id'])(
    'are those that the SDK `openai` gathers, whatever is looked for: %s',
    async (kind) => {
      await calls.use([{ kind, applies_to: 'output' }]);
      calls.gateway.backend.answer(
        streamOf([NAMED, ...['{"ci', 'ty":"Par', 'is"}'].map((piece) => ({ function: { arguments: piece } }))]),
        streamOf([
          { id: 'call_1', type: 'custom', custom: { name: 'get_weather', input: '' } },
          ...['Par', 'is'].map((input) => ({ custom: { input } })),
        ]),
      );
      const client = openaiClient(calls.gateway);

      const ofFunction = await client.chat.completions.stream({ model: 'scripted', messages }).finalChatCompletion();
      const ofOwnTool = await client.chat.completions.stream({ model: 'scripted', messages }).finalChatCompletion();

      expect(ofFunction.choices[0]?.message.tool_calls).toEqual([
        { ...NAMED, function: expect.objectContaining({ name: 'get_weather', arguments: '{"city":"Paris"}' }) },
      ]);
      expect(ofOwnTool.choices[0]?.message.tool_calls).toEqual([
        { id: 'call_1', type: 'custom', custom: { name: 'get_weather', input: 'Paris' } },
      ]);
    },
  );

  it.each<[string, object[]]>([
    ['before its arguments', [NAMED, { function: { arguments: '{}' } }]],
    ['with its arguments', [{ ...NAMED, function: { name: 'get_weather', arguments: '{}' } }]],
    ['without arguments', [NAMED]],
    ['in pieces', [{ ...NAMED, function: { name: 'get_' } }, { function: { name: 'weather' } }]],
    ['after the call has begun', [{ id: 'call_1', type: 'function', function: { arguments: '' } }, NAMED]],
  ])('have their name in one chunk that the server names %s', async (_how, pieces) => {
    await calls.use([{ applies_to: 'output' }]);
    calls.gateway.backend.answer(streamOf(pieces), stream(...pieces.map(call), DONE));

    const ended = await callsIn(calls);
    const left = await callsIn(calls);

    for (const seen of [ended, left]) {
      expect(namesOf(seen)).toEqual(['get_weather']);
      expect(seen.find(({ function: { name } }) => name)).toMatchObject({ index: 0, id: 'call_1', type: 'function' });
    }
  });

  it('have it in the interface of one function, too', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const pieces = [{ name: 'get_weather', arguments: '' }, { arguments: '{"a":1' }, { arguments: '}' }];
    calls.gateway.backend.answer(
      stream(...pieces.map((piece) => chunk({ function_call: piece })), chunk({}, 'function_call'), DONE),
    );

    const deltas = await deltasIn(calls);

    const seen = deltas.flatMap(({ function_call: piece }) => piece ?? []);
    expect(seen[0].name).toBe('get_weather');
    expect(seen.map((piece) => piece.arguments).join('')).toBe('{"a":1}');
  });

  it('are each named, also where a server has one place for all of them', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const other = { ...NAMED, id: 'call_2', function: { name: 'get_time', arguments: '{}' } };
    const elsewhere = { ...other, index: 1, id: 'call_3', function: { name: 'stop', arguments: '' } };
    calls.gateway.backend.answer(streamOf([NAMED, other, elsewhere]));

    const seen = await callsIn(calls);

    expect(seen.map(({ index, id, function: { name } }) => [index, id, name])).toEqual([
      [0, 'call_1', 'get_weather'],
      [1, 'call_2', 'get_time'],
      [2, 'call_3', 'stop'],
    ]);
  });

  it('have each what they are called with, though a server has one place for all, and more is held back', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const own = (id: string, name: string, input: string) => ({ id, type: 'custom', custom: { name, input } });
    calls.gateway.backend.answer(streamOf([own('call_1', 'mail', 'write to bob'), own('call_2', 'note', 'a list')]));

    const seen = await callsIn(calls);

    const inputOf = (place: number) =>
      seen.flatMap(({ index, custom: { input = '' } }) => (index === place ? input : '')).join('');
    expect([inputOf(0), inputOf(1)]).toEqual(['write to bob', 'a list']);
  });

  it('have them in their order where the last chunk has several pieces of one', async () => {
    await calls.use([{ kind: 'email', applies_to: 'output' }]);
    const piece = (input: string) => ({ index: 0, custom: { input } });
    const begun = { index: 0, id: 'call_1', type: 'custom', custom: { name: 'mail', input: 'To: ' } };
    const pieces = [piece('mail '), piece('@example.com now, bob')];
    calls.gateway.backend.answer(
      stream(chunk({ tool_calls: [begun] }), chunk({ tool_calls: pieces }, 'tool_calls'), DONE),
    );

    const seen = await callsIn(calls);

    expect(seen.map(({ custom: { input = '' } }) => input).join('')).toBe('To: mail @example.com now, bob');
  });

  it.each([
    ['of more pieces than any', Array.from({ length: 300 }, () => ({}))],
    ['of members without end', [Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`member${at}`, 'x']))]],
  ])('are refused where a call is held back that is %s', async (_what, pieces) => {
    await calls.use([{ applies_to: 'output' }]);
    calls.gateway.backend.answer(streamOf([NAMED, ...pieces]));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(body)).toContain('bad_upstream');
  });

  it('have a place that is a number, whatever the server calls it', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const other = { id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '{}' } };
    calls.gateway.backend.answer(
      stream(chunk({ tool_calls: [other, NAMED] }), chunk({}, 'tool_calls'), DONE),
      streamOf([{ ...NAMED, index: -1 }]),
    );

    const seen = [...(await callsIn(calls)), ...(await callsIn(calls))];

    expect(seen.map(({ index, id }) => [index, id])).toEqual([
      [0, 'call_2'],
      [1, 'call_1'],
      [0, 'call_1'],
    ]);
  });

  it('are masked in their names, wherever these are cut', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const name = 'ada@example.com';
    for (let at = 1; at < name.length; at += 1) {
      const pieces = [name.slice(0, at), name.slice(at)].map((piece) => ({ function: { name: piece } }));
      calls.gateway.backend.answer(streamOf([...pieces, { function: { arguments: '{}' } }]));

      const seen = await callsIn(calls);

      expect(namesOf(seen)).toEqual(['[EMAIL]']);
      expect(JSON.stringify(seen)).not.toMatch(/ada|example/);
    }
  });

  it('are refused where a name goes on behind its end', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const piece = (name: string) => ({ function: { name, arguments: ' ' } });
    calls.gateway.backend.answer(streamOf([piece('ada@exa'), piece('mple.com')]));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(body)).toContain('bad_upstream');
    expect(JSON.stringify(body)).not.toMatch(/ada|mple/);
  });

  it('may be named in each chunk', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const piece = (text: string) => ({ ...NAMED, function: { name: 'getWeather2', arguments: text } });
    calls.gateway.backend.answer(streamOf([piece('{'), ...Array.from({ length: 40 }, () => piece(' ')), piece('}')]));

    const seen = await callsIn(calls);

    expect(new Set(namesOf(seen))).toEqual(new Set(['getWeather2']));
    expect(seen.map(({ function: { arguments: text } }) => text ?? '').join('')).toBe(`{${' '.repeat(40)}}`);
  });

  it('have their sources, and the format of thoughts, beside them as whole as they came', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const source = (title: string) => ({ type: 'url_citation', url_citation: { title, url: 'https://bob.example/a' } });
    const thought = (text: string) => ({ type: 'reasoning.text', text, format: 'anthropic-claude-v1', index: 0 });
    calls.gateway.backend.answer(
      stream(
        ...['I think ', 'so. '].map((text) => chunk({ reasoning_details: [thought(text)] })),
        chunk({ annotations: [source('Bob'), source('ada@example.com')] }),
        chunk({}, 'stop'),
        DONE,
      ),
    );

    const deltas = await deltasIn(calls);

    expect(deltas.flatMap(({ annotations }) => annotations ?? [])).toEqual([source('Bob'), source('[EMAIL]')]);
    expect(deltas.flatMap(({ reasoning_details: details }) => details?.[0].format ?? [])).toEqual([
      'anthropic-claude-v1',
      'anthropic-claude-v1',
    ]);
  });
});

function call(piece: object): string {
  return chunk({ tool_calls: [{ index: 0, ...piece }] });
}

/** A stream that calls tools, and ends with the reason for that. */
function streamOf(pieces: readonly object[]) {
  return stream(chunk({ role: 'assistant', content: null }), ...pieces.map(call), chunk({}, 'tool_calls'), DONE);
}

async function deltasIn({ gateway }: SanitizedGateway): Promise<AnyJson[]> {
  const { body } = await gateway.chat({ stream: true });
  return [...String(body).matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data).choices[0].delta);
}

/** The pieces of calls that a client gets. */
async function callsIn(calls: SanitizedGateway): Promise<AnyJson[]> {
  return (await deltasIn(calls)).flatMap(({ tool_calls: pieces }): AnyJson[] => pieces ?? []);
}

function namesOf(pieces: readonly AnyJson[]): string[] {
  return pieces.flatMap((piece) => piece.function?.name ?? []);
}
