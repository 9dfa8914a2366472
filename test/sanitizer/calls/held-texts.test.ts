import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/any-json.js';
import { SanitizedGateway } from '../../support/sanitized-gateway.js';
import { chunk, DONE, stream } from '../../support/scripted-backend.js';

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
});

/** A list with a value at a place, and nothing before it. */
function listWith(value: unknown, place: number): unknown[] {
  return [...Array.from({ length: place }, () => ''), value];
}

async function deltasIn({ gateway }: SanitizedGateway): Promise<AnyJson[]> {
  const { body } = await gateway.chat({ stream: true });
  return [...String(body).matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data).choices[0].delta);
}
