import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, completion, DONE, stream } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';

const ADA = 'ada@example.com';

describe.each(backends())(
  'texts that a response tells again, of a backend that has %s',
  (supported, answering, instructed) => {
    let calls: SanitizedGateway;

    beforeAll(async () => {
      calls = await SanitizedGateway.start({ backends: [{ supports: [supported] }] });
    });
    afterAll(() => calls.close());

    it.each(rules())('are restored alike in each event, and in a whole answer: %j, %j', async (...policy) => {
      await calls.use(policy);
      calls.gateway.backend.answer(...answering('You are <EMAIL_1>, I see.'));
      const input = `I am ${ADA}`;

      const whole = await calls.gateway.respond({ input });
      const events = await eventsOf(calls, { input });

      const expected = `You are ${ADA}, I see.`;
      expect(textsOf(whole.body)).toEqual([expected]);
      expect(piecesOf(events)).toBe(expected);
      expect(new Set(events.filter(({ type }) => /done|completed/.test(type)).flatMap(textsOf))).toEqual(
        new Set([expected]),
      );
    });

    it.each(rules())('are the caller’s own instructions as they were sent: %j, %j', async (...policy) => {
      await calls.use(policy);
      calls.gateway.backend.answer(...instructed('Fine.', 'You serve <EMAIL_1>'));
      const instructions = `You serve ${ADA}`;
      const metadata = { who: ADA };

      const whole = await calls.gateway.respond({ instructions, metadata });
      const events = await eventsOf(calls, { instructions, metadata });

      expect(whole.body).toMatchObject({ instructions });
      const repeating = events.flatMap(({ response: repeated }): AnyJson[] => repeated ?? []);
      expect(repeating.length).toBeGreaterThan(1);
      for (const repeated of repeating) expect(repeated).toMatchObject({ instructions });
      expect(calls.sent).not.toContain(ADA);
    });
  },
);

function chatted(text: string): Script[] {
  const pieces = text.split(/(?<= )/).map((content) => chunk({ content }));
  return [completion(text), stream(...pieces, chunk({}, 'stop'), DONE)];
}

function responded(text: string, instructions = ''): Script[] {
  const events = completeEvents(...text.split(/(?<= )/));
  const repeating = events.map((each) =>
    each.replaceAll('"object":"response"', `"object":"response","instructions":"${instructions}"`),
  );
  return [response(text, { instructions }), stream(...repeating)];
}

async function eventsOf({ gateway }: SanitizedGateway, members: object): Promise<AnyJson[]> {
  const { body } = await gateway.respond({ ...members, stream: true });
  return namedEventsOf(String(body));
}

function piecesOf(events: readonly AnyJson[]): string {
  return events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('');
}

/** The texts of a model in a response, or in what an event tells of one. */
function textsOf(told: AnyJson): string[] {
  const { text, part, item, response: whole } = told;
  if (typeof text === 'string') return [text];
  const inner = [part, item, whole, ...(told.output ?? []), ...(told.content ?? [])];
  return inner.filter(Boolean).flatMap(textsOf);
}

type Answering = (text: string, instructions: string) => Script[];

/** What each of them answers with a text, alone and with instructions that it repeats. */
function backends(): [string, (text: string) => Script[], Answering][] {
  return [
    ['chat', chatted, (text) => chatted(text)],
    ['responses', responded, responded],
  ];
}

/** What the model has read and repeats is not its own, so that the rule for answers does not find it. */
function rules() {
  return ['mask', 'block'].map((action) => [
    { action: 'pseudonymize', applies_to: 'input' },
    { action, applies_to: 'output' },
  ]);
}
