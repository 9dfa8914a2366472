import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, DONE, stream } from '../../support/servers/scripted-backend.js';

describe('what is held back of the texts of a stream', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start();
  });
  afterAll(() => calls.close());

  it.each([
    ['one list', (place: number) => listWith('bob', place)],
    ['lists in lists', (place: number) => listWith(listWith('bob', place - 500), 500)],
    ['lists of objects', (place: number) => listWith({ list: listWith('bob', place) }, 5)],
  ])('stands at no place that clients would have to fill a list up to: %s', async (_where, listOf) => {
    await calls.use([{ applies_to: 'output' }]);
    const frames = (place: number) => [chunk({ list: listOf(place) }), chunk({}, 'stop'), DONE];
    calls.gateway.backend.answer(stream(...frames(1_000)), stream(...frames(1_001)));

    const passed = await deltasIn(calls);
    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(passed.at(-1))).toContain('"bob"');
    expect(JSON.stringify(body)).toContain('bad_upstream');
  });

  it.each([
    ['another content begins', [chunk({ content: [{ type: 'text', text: 'and more' }] })]],
    ['a text begins', [chunk({ content: 'and more' })]],
    ['the choice ends', []],
  ])('stands in parts whose names are changed like texts, where %s', async (_when, frames) => {
    await calls.use([{ applies_to: 'output' }]);
    const part = { type: 'tool_use', input: { 'ada@example.com': 'call bob' } };
    calls.gateway.backend.answer(stream(chunk({ content: [part] }), ...frames, chunk({}, 'stop'), DONE));

    const deltas = await deltasIn(calls);

    const parts = deltas.flatMap(({ content }): AnyJson[] => (Array.isArray(content) ? content : []));
    expect(parts.slice(0, 2)).toEqual([
      { type: 'tool_use', input: { '[EMAIL]': 'call ' } },
      { type: 'tool_use', input: { '[EMAIL]': 'bob' } },
    ]);
    expect(JSON.stringify(deltas)).not.toContain('ada');
  });

  it('stands in parts with the names that pseudonyms stood for', async () => {
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
    const part = { type: 'tool_use', input: { '<EMAIL_1>': 'call <' } };
    calls.gateway.backend.answer(stream(chunk({ content: [part] }), chunk({}, 'stop'), DONE));

    const deltas = await deltasIn(calls, { messages: [{ role: 'user', content: 'ada@example.com' }] });

    const parts = deltas.flatMap(({ content }): AnyJson[] => content ?? []);
    expect(parts.map(({ input }) => input)).toEqual([{ 'ada@example.com': 'call ' }, { 'ada@example.com': '<' }]);
  });

  it.each([true, null])('goes out beside the names of members as they were changed, of %j', async (value) => {
    await calls.use([{ applies_to: 'output' }]);
    const beside = { 'ada@example.com': value };
    const parts = [{ type: 'text', text: 'x' }];
    const frames = ['Hello bob', parts].map((content) => chunk({ content }, null, beside));
    calls.gateway.backend.answer(stream(...frames, DONE));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(String(body)).toMatch(/"bob"[^]*"x"/);
    expect(String(body)).not.toContain('ada@example.com');
  });

  it('does not make contents go out again that have more parts than any', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const content = [{ type: 'text', text: 'bob' }, ...Array.from({ length: 10_000 }, () => '')];
    calls.gateway.backend.answer(stream(chunk({ content }), chunk({}, 'stop'), DONE));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(body)).toContain('bad_upstream');
  });
});

/** A list with a value at a place, and nothing before it. */
function listWith(value: unknown, place: number): unknown[] {
  return [...Array.from({ length: place }, () => ''), value];
}

async function deltasIn({ gateway }: SanitizedGateway, members: object = {}): Promise<AnyJson[]> {
  const { body } = await gateway.chat({ stream: true, ...members });
  return [...String(body).matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data).choices[0].delta);
}
