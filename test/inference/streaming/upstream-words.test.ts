import { afterEach, describe, expect, it } from '@jest/globals';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import { chunk, cutOff, DONE, event, json, stream, usageChunk } from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const SAID = 'CUDA error: out of memory';
const TOLD = { message: SAID, type: 'upstream_error', code: 'bad_upstream' };
const HIDDEN = 'The model server failed while it was answering.';

describe('an error in a stream', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat', 'completions'] }] });

  afterEach(() => gateway.backend.reset());

  it.each([
    ['an object', event({ error: { message: SAID, type: 'server_error', code: 500 } })],
    ['without a code', event({ error: { message: SAID } })],
    ['of a busy server', event({ error: { message: SAID, code: 503 } })],
    ['a text', event({ error: SAID, error_type: 'generation' })],
    ['a named event', `event: error\n${event({ message: SAID })}`],
    ['a named event of text', `event: error\ndata: ${SAID}\n\n`],
    ['a field of its own', `error: {"code":500,"message":"${SAID}","type":"server_error"}\n\n`],
    ['told by detail', `event: error\n${event({ detail: SAID })}`],
  ])('is told in the words of the server: %s', async (_how, said) => {
    const begun = chunk({ content: 'Hel' });
    gateway.backend.answer(stream(begun, said), stream(begun, said), stream(said));

    const chatted = await gateway.chat({ stream: true });
    const responded = await gateway.respond({ stream: true });
    const refused = await gateway.chat({ stream: true });

    expect(eventsOf(chatted.body).at(-1)).toEqual({ error: TOLD });
    expect(responded.body).toContain(SAID);
    expect([refused.status, refused.body.error]).toEqual([502, TOLD]);
  });

  it.each([
    { message: 'Incorrect API key provided', code: 'invalid_api_key' },
    { message: 'You exceeded your current quota', type: 'insufficient_quota' },
    { message: 'pay at 10.0.0.1', code: 402 },
  ])("does not tell of the operator's account: %j", async (error) => {
    gateway.backend.answer(stream(chunk({ content: 'Hel' }), event({ error })));

    const { body } = await gateway.chat({ stream: true });

    expect(eventsOf(body).at(-1)).toMatchObject({ error: { message: HIDDEN } });
  });

  it.each([{ error: { message: SAID, code: 500 } }, { error: SAID }, { object: 'error', message: SAID }])(
    'and one of status 200 are told alike: %j',
    async (answer) => {
      gateway.backend.answer(json(200, answer));

      const { status, body } = await gateway.chat();

      expect([status, body.error]).toEqual([502, TOLD]);
    },
  );
});

describe('a stream without an end mark', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat', 'completions'] }] });
  const finished = [chunk({ content: 'Hello.' }), chunk({}, 'stop')];

  afterEach(() => gateway.backend.reset());

  it.each([
    ['where its only choice tells its end', {}, finished],
    ['where the usage follows', {}, [...finished, usageChunk()]],
    ['where its last event has no blank line', {}, [finished.join('').trimEnd()]],
    ['where each choice does', { n: 2 }, [...finished, choice(1, 'length')]],
  ])('is whole %s', async (_where, members, pieces) => {
    gateway.backend.answer(stream(...pieces));

    const { body } = await gateway.chat({ stream: true, ...members });
    const [call] = await lastSettledCalls(gateway.platform);

    expect(body.endsWith(DONE)).toBe(true);
    expect(body).not.toContain('"error"');
    expect(call).toMatchObject({ outcome: 'completed' });
  });

  it('is whole as completions and as a response, too', async () => {
    const text = { choices: [{ index: 0, text: 'Hello.', finish_reason: 'stop' }] };
    gateway.backend.answer(stream(event(text)), stream(...finished));

    const completed = await gateway.post('/v1/completions', { model: 'scripted', prompt: 'Hi.', stream: true });
    const responded = await gateway.respond({ stream: true });

    expect(completed.body.endsWith(DONE)).toBe(true);
    expect(responded.body).toContain('event: response.completed');
  });

  it.each([
    ['its end is not told', {}, stream(chunk({ content: 'Hel' }), chunk({ content: 'lo' }))],
    ['its end is an empty text', {}, stream(chunk({ content: 'Hel' }, ''))],
    ['another choice goes on', { n: 2 }, stream(choice(1, 'stop'), chunk({ content: 'Hel' }))],
    ['the connection breaks', {}, cutOff(...finished)],
  ])('is cut where %s', async (_where, members, script) => {
    gateway.backend.answer(script);

    const { body } = await gateway.chat({ stream: true, ...members });

    expect(body).not.toContain(DONE);
    expect(eventsOf(body).at(-1)).toMatchObject({ error: { code: 'bad_upstream' } });
  });
});

function choice(index: number, reason: string): string {
  return event({ choices: [{ index, delta: {}, finish_reason: reason }] });
}
