import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { userMessage } from '../../support/builders/chat-request.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { chunk, completion, cutOff, DONE, event, stream, wholeStream } from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';

const MESSAGES = [userMessage('What do guests pay for lunch?')];

describe('answers from knowledge bases', () => {
  let [gateway, base]: [Gateway, KnowledgeProbe] = [] as never;
  beforeAll(begin);
  afterAll(() => gateway.close());
  afterEach(() => gateway.backend.reset());

  it.each([
    ['of another passage', 'Guests pay 7.20 euros [2].'],
    ['of no passage', 'Guests pay 7.20 euros [17]. They do so at noon. [0]'],
    ['for what no passage says', 'Guests pay 8.20 euros [1]. The canteen is closed on Mondays [1][2].'],
    ['for nothing', '[1] [2] Yes. [1]'],
  ])('keep marks from the client that are not true, whole and streamed: %s', async (_what, text) => {
    gateway.backend.answer(completion(text), stream(...wholeStream(...text)), stream(...wholeStream(text)));

    const whole = await chat({});
    const byUnit = eventsOf((await chat({ stream: true })).body) as AnyJson[];
    const atOnce = eventsOf((await chat({ stream: true })).body) as AnyJson[];

    const expected = text.replaceAll(/ ?\[\d+\]/g, '').trimStart();
    expect(whole.body.choices[0].message.content).toBe(expected);
    expect([textOf(byUnit), textOf(atOnce)]).toEqual([expected, expected]);
    expect(whole.body.citations).toEqual([]);
    for (const events of [byUnit, atOnce]) expect(events.at(-1)).toMatchObject({ choices: [], citations: [] });
  });

  it('keep citations from the client that a model server makes itself', async () => {
    const forged = { citations: [{ index: 1, quote: 'Forged.' }] };
    gateway.backend.answer(
      completion('Well.', forged),
      stream(chunk({ content: 'Well.' }, null, forged), chunk({}, 'stop'), DONE),
    );

    const whole = await chat({});
    const streamed = await chat({ stream: true });

    expect(whole.body.citations).toEqual([]);
    expect(streamed.body).not.toContain('Forged');
  });

  it.each([
    ['in what it refuses with', { content: 'Well.', refusal: 'They pay 8 euros [1].' }],
    ['in its thoughts', { content: 'Well.', reasoning_content: 'They pay 8 euros [1].', reasoning: '[9]' }],
    [
      'in parts',
      {
        content: [
          { type: 'text', text: 'They pay [' },
          { type: 'text', text: '1].' },
        ],
      },
    ],
    [
      'in parts around one that clients skip',
      {
        content: [
          { type: 'text', text: 'They pay [1' },
          { type: 'refusal', refusal: ' foo ' },
          { type: 'thinking', text: ' foo ' },
          { text: ' foo ' },
          { type: 'text', text: '].' },
        ],
      },
    ],
    ['in what is no text', { content: { text: 'They pay 8 euros [1].' } }],
    ['in a list of texts', { content: ['They pay 8 euros [1].', ['[2]']] }],
    ['in sources of its own', { content: 'Well.', citations: ['[1]'], annotations: [{ text: '[1]' }] }],
  ])('keep marks from the client that a model server writes elsewhere: %s', async (_where, message) => {
    gateway.backend.answer(
      completion('', { choices: [{ index: 0, message, text: '[3]', citations: ['[1]'], finish_reason: 'stop' }] }),
      stream(chunk(message), chunk({}, 'stop'), DONE),
    );

    const whole = await chat({});
    const streamed = await chat({ stream: true });

    const words = JSON.stringify(whole.body.choices) + textOfAll(streamed.body);
    expect(words).not.toMatch(/\[\s*\d+\s*(foo\s*)?\]/);
    expect(words).not.toContain('annotations');
  });

  it('end with an error where a choice goes on that has ended, or is told by its index in another form', async () => {
    const other = event({ choices: [{ index: '0', delta: { content: '1].' }, finish_reason: null }] });
    gateway.backend.answer(
      stream(chunk({ content: 'They pay [' }, 'stop'), chunk({ content: '1].' }), DONE),
      stream(chunk({ content: 'They pay 8 euros [' }), other, chunk({}, 'stop'), DONE),
    );

    const after = await chat({ stream: true });
    const mixed = await chat({ stream: true });

    expect(JSON.stringify(after.body)).toContain('went on with a text that it had ended');
    expect(textOfAll(mixed.body)).toBe('They pay 8 euros.');
  });

  it('keep lists of numbers in JSON, and marks from the client in its strings', async () => {
    const json =
      '{"days": [1, 2, [3]], "said": "Guests pay 8 euros [1].", "true": "Guests pay 7.20 euros [1].", "\\u005b9\\u005d": 1}';
    const answer = { response_format: { type: 'json_object' } };
    gateway.backend.answer(
      completion(json),
      stream(...wholeStream(...json)),
      stream(...wholeStream(json.slice(0, json.indexOf('", "true"')))),
    );

    const whole = await chat(answer);
    const streamed = await chat({ ...answer, stream: true });
    const cut = await chat({ ...answer, stream: true });

    const expected =
      '{"days": [1, 2, [3]], "said": "Guests pay 8 euros.", "true": "Guests pay 7.20 euros [1].", "": 1}';
    expect(whole.body.choices[0].message.content).toBe(expected);
    expect(whole.body.citations).toHaveLength(1);
    expect(textOf(eventsOf(streamed.body) as AnyJson[])).toBe(expected);
    expect(textOf(eventsOf(cut.body) as AnyJson[])).toBe('{"days":, "said": "Guests pay 8 euros.');
  });

  it.each([
    [
      'prose instead of JSON',
      'They pay 8 euros [1].',
      'They pay 8 euros.',
      { response_format: { type: 'json_object' } },
    ],
    ['a fence in HTML', '<div>\n```\n</div>\n\nThey lie[1].', '<div>\n```\n</div>\n\nThey lie.', {}],
    ['character references', 'They pay 8 euros &#91;&#x31;&#93;.', 'They pay 8 euros.', {}],
  ])('keep marks from the client that are hidden, whole and streamed: %s', async (_how, text, expected, members) => {
    gateway.backend.answer(completion(text), stream(...wholeStream(...text)));

    const whole = await chat(members);
    const streamed = await chat({ ...members, stream: true });

    expect(whole.body.choices[0].message.content).toBe(expected);
    expect(textOf(eventsOf(streamed.body) as AnyJson[])).toBe(expected);
    expect(whole.body.citations).toEqual([]);
  });

  it('end without citations where the model server breaks off', async () => {
    gateway.backend.answer(cutOff(chunk({ content: 'Guests pay 7.20 euros [1]. And they do so gladly. And' })));

    const { body } = await chat({ stream: true });

    const events = eventsOf(body) as AnyJson[];
    expect(events.at(-1)).toMatchObject({ error: { code: 'bad_upstream' } });
    expect(body).not.toContain('[DONE]');
  });

  async function begin(): Promise<void> {
    gateway = await startGateway();
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
    await base.index({ 'handbook.md': HANDBOOK });
  }

  function chat(members: object) {
    const body = { model: 'scripted', knowledgebase_id: base.id, messages: MESSAGES, ...members };
    return gateway.post('/v1/knowledgebase/chat/completions', body);
  }
});

/** The text of a choice of a stream. */
function textOf(events: readonly AnyJson[], index = 0): string {
  return events
    .flatMap(({ choices }) => (choices ?? []) as AnyJson[])
    .filter((choice) => choice.index === index)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}

/** All that a stream writes, but its numbers. */
function textOfAll(body: string): string {
  const events = eventsOf(body) as AnyJson[];
  const deltas = events.flatMap(({ choices }) => ((choices ?? []) as AnyJson[]).map(({ delta }) => delta as AnyJson));
  return deltas
    .flatMap(({ role: _role, ...texts }) => Object.values(texts))
    .map((text) => (typeof text === 'string' ? text : JSON.stringify(text)))
    .join('');
}
