import { afterEach, describe, expect, it } from '@jest/globals';
import { namedEventsOf } from '../../support/builders/response-streams.js';
import { unpublishedInStream, unpublishedMembers } from '../../support/probes/published-response.js';
import { completion } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';
import { UNSET, ASKED, TOOL, NATIVE, CHAT, BUILTIN } from './published-cases.js';

describe.each([
  ['a server that has responses', NATIVE],
  ['a server that only chats', CHAT],
  ['the builtin model', BUILTIN],
])('the responses of %s', (_what, { supports, model, wholes, streams }) => {
  const gateway = useGateway({ backends: [{ supports: [...supports] }] });
  const respond = (members: object = {}) => gateway.respond({ ...(model && { model }), ...members });

  afterEach(() => gateway.backend.reset());

  it('are as published, whole and in each event', async () => {
    for (const whole of wholes) {
      gateway.backend.answer(whole);
      expect(unpublishedMembers((await respond({ tools: [TOOL] })).body)).toEqual([]);
    }
    for (const streamed of streams) {
      gateway.backend.answer(streamed);
      const { responses, wrong } = unpublishedInStream((await respond({ tools: [TOOL], stream: true })).body);
      expect([responses > 1, wrong]).toEqual([true, []]);
    }
  });

  it('have what OpenAI answers where nothing was asked for', async () => {
    const { whole, streamed } = await both({});

    expect(whole).toMatchObject({ ...UNSET, completed_at: expect.any(Number) });
    for (const told of streamed) expect(told).toMatchObject(UNSET);
    expect(streamed[0]?.completed_at).toBeNull();
    expect(streamed.at(-1)?.completed_at).toBeGreaterThanOrEqual(streamed.at(-1)?.created_at);
  });

  it('repeat what was asked for', async () => {
    const { whole, streamed } = await both({ ...ASKED, tools: [TOOL], reasoning: { effort: 'low' } });

    const repeated = {
      ...ASKED,
      tools: [{ ...TOOL, description: null, parameters: null, strict: null }],
      reasoning: { effort: 'low', summary: null },
    };
    for (const told of [whole, ...streamed]) expect(told).toMatchObject(repeated);
  });

  async function both(members: object) {
    gateway.backend.answer(...[wholes[0], streams[0]].filter((script) => script !== undefined));
    const { body: whole } = await respond(members);
    const { body } = await respond({ ...members, stream: true });
    return { whole, streamed: namedEventsOf(body).flatMap((event) => (event.response ? [event.response] : [])) };
  }
});

describe('a response through chat', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  it('has a complete format of its text, and the tier that its server tells', async () => {
    const schema = { type: 'json_schema', name: 'a', schema: { type: 'object' } };
    gateway.backend.answer(completion('{}', { service_tier: 'flex' }));

    const { body } = await gateway.respond({ text: { format: schema, verbosity: 'low' } });

    expect(unpublishedMembers(body)).toEqual([]);
    expect(body.text).toEqual({ format: { ...schema, description: null, strict: false }, verbosity: 'low' });
    expect(body.service_tier).toBe('flex');
  });
});
