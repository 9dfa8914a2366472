import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { userMessage } from '../../support/builders/chat-request.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { chunk, completion, DONE, event, stream, usageChunk } from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';

const LIE = 'They pay 8 euros [1].';
const COUNTS = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const USAGE = { ...COUNTS, note: LIE, [LIE]: 1, details: { note: LIE, more: { count: 1 } } };
const FORGED = [{ index: 1, quote: LIE, url: 'http://forged.example/' }];

describe("answers with members of a model server's own", () => {
  let [gateway, base]: [Gateway, KnowledgeProbe] = [] as never;
  beforeAll(begin);
  afterAll(() => gateway.close());
  afterEach(() => gateway.backend.reset());

  it.each([
    ['in a context', { context: { citations: FORGED } }],
    ['in thoughts', { reasoning_details: [{ text: LIE }], thinking: LIE, thinking_blocks: [{ thinking: LIE }] }],
    ['in thoughts that are texts', { reasoning_content: LIE, reasoning: LIE }],
    ['in sources', { sources: FORGED, references: FORGED, annotations: FORGED, search_results: FORGED }],
    ['in fields of a provider', { provider_specific_fields: { citations: FORGED }, grounding_metadata: FORGED }],
    ['in what is said aloud', { audio: { transcript: LIE } }],
    ['in calls of tools that are none', { tool_calls: { note: LIE }, function_call: LIE }],
    ['in lists of such', { tool_calls: [LIE] }],
    ['in names', { role: LIE, finish_reason: LIE, index: 0 }],
    ['in names of a model server', { id: LIE, system_fingerprint: { note: LIE }, service_tier: [LIE] }],
    ['in parts', { content: [{ type: 'text', text: 'Ok.', content: LIE, citations: FORGED }] }],
    ['in parts that refuse', { content: [{ type: 'refusal', refusal: LIE }] }],
  ])('have nothing in them that was not checked: %s', async (_where, members) => {
    const message = { role: 'assistant', content: 'Ok.', ...members };
    const choice = { index: 0, finish_reason: 'stop', text: LIE, grounding_metadata: FORGED, ...members };
    gateway.backend.answer(
      completion('', { ...members, usage: USAGE, content: LIE, choices: [{ ...choice, message }] }),
      stream(
        event({
          object: 'chat.completion.chunk',
          content: LIE,
          response: LIE,
          ...members,
          choices: [{ ...choice, finish_reason: null, delta: message }],
        }),
        chunk({}, 'stop', { sources: FORGED }),
        event({ id: LIE, choices: [], usage: USAGE, sources: FORGED }),
        DONE,
      ),
    );

    const whole = await chat({});
    const streamed = await chat({ stream: true, stream_options: { include_usage: true } });

    expect(whole.status).toBe(200);
    expect(streamed.body.endsWith(DONE)).toBe(true);
    for (const body of [JSON.stringify(whole.body), streamed.body]) expect(body).not.toMatch(/\[1\]|forged/);
  });

  it('keep what clients know', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":[1]}' } };
    const members = { system_fingerprint: 'fp_1', service_tier: 'default' };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    gateway.backend.answer(
      completion('', { ...members, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
      stream(
        chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }, null, members),
        chunk({}, 'stop'),
        usageChunk(),
        DONE,
      ),
    );

    const { body } = await chat({});
    const events = eventsOf((await chat({ stream: true })).body) as AnyJson[];

    expect(body).toMatchObject(members);
    expect(body.choices).toEqual([{ index: 0, message, finish_reason: 'tool_calls' }]);
    expect(events[0]).toMatchObject({ ...members, choices: [{ delta: { tool_calls: [call] } }] });
  });

  it.each([
    ['choices are an object', { choices: { 0: { index: 0, delta: { content: LIE }, message: { content: LIE } } } }],
    ['choices are lists', { choices: [[{ index: 0, delta: { content: LIE } }]] }],
    ['choices are a text', { choices: LIE }],
    ['a choice was not asked for', { choices: [{ index: 1, delta: { content: LIE }, message: { content: LIE } }] }],
    ['an index is negative', { choices: [{ index: -1, delta: { content: LIE }, message: { content: LIE } }] }],
    ['an index is huge', { choices: [{ index: 1e300, delta: { content: LIE }, message: { content: LIE } }] }],
    ['an index is no whole number', { choices: [{ index: 0.5, delta: { content: LIE }, message: { content: LIE } }] }],
    ['a piece is a list', { choices: [{ index: 0, delta: [{ content: LIE }], message: [{ content: LIE }] }] }],
    ['a piece is a text', { choices: [{ index: 0, delta: LIE, message: LIE }] }],
  ])('end with an error where %s', async (_what, members) => {
    gateway.backend.answer(completion('', members), stream(event(members), chunk({}, 'stop'), DONE));

    const whole = await chat({});
    const streamed = await chat({ stream: true });

    expect([whole.status, whole.body.error?.code]).toEqual([502, 'bad_upstream']);
    expect(JSON.stringify(streamed.body)).toContain('bad_upstream');
    for (const body of [whole.body, streamed.body]) expect(JSON.stringify(body)).not.toContain('8 euros');
  });

  async function begin(): Promise<void> {
    gateway = await startGateway();
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
    await base.index({ 'handbook.md': HANDBOOK });
  }

  function chat(members: object) {
    const messages = [userMessage('What do guests pay for lunch?')];
    const body = { model: 'scripted', knowledgebase_id: base.id, messages, ...members };
    return gateway.post('/v1/knowledgebase/chat/completions', body);
  }
});
