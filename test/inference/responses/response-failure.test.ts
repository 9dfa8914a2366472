import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken } from '../../support/builders/accounts.js';
import { sseResults } from '../../support/builders/graphql-clients.js';
import { openaiClient } from '../../support/builders/openai-client.js';
import { completeEvents, namedEvent, namedEventsOf } from '../../support/builders/response-streams.js';
import { unpublishedInStream } from '../../support/probes/published-response.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, cutOff, event, stream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const CREATED = namedEvent('response.created', {
  sequence_number: 0,
  response: { id: 'resp_upstream', created_at: 9 },
});
const GAP = namedEvent('response.custom', { sequence_number: 4 });
const FAILED = { code: 'bad_upstream', message: expect.any(String) };

describe('a stream of a response that was created, and fails', () => {
  const gateway = useGateway({ backends: [{ supports: ['responses'] }] });

  afterEach(() => gateway.backend.reset());

  it.each([
    ['its server is cut off', cutOff(...completeEvents('Hi').slice(0, 4))],
    ['its server is cut off, and numbers nothing', cutOff(recordedBody('resp_stream').subarray(0, 1_200))],
    ['its server ends without a last event', stream(CREATED, GAP)],
    ['its server sends an error', stream(CREATED, namedEvent('error', { code: 'server_error', message: 'no' }))],
    ['its server makes no sense', stream(CREATED, 'event: response.x\ndata: {"a":\n\n')],
    ['the last event has no response', stream(CREATED, namedEvent('response.completed', {}))],
  ])('ends in response.failed where %s', async (_why, script) => {
    gateway.backend.answer(script);

    const { body } = await gateway.respond({ stream: true });

    const events = namedEventsOf(body);
    const [last, before] = [events.at(-1), events.at(-2)];
    expect(last).toMatchObject({ type: 'response.failed', sequence_number: before.sequence_number + 1 });
    expect(last.response).toMatchObject({ id: events[0].response.id, status: 'failed', error: FAILED, output: [] });
    expect(last.response.created_at).toBe(events[0].response.created_at);
    expect(unpublishedInStream(body).wrong).toEqual([]);
    expect(body).not.toMatch(/event: error|\[DONE\]/);
  });

  it('is a plain error where nothing was created', async () => {
    gateway.backend.answer(stream(namedEvent('error', { code: 'server_error', message: 'no' })), cutOff());

    const answers = [await gateway.respond({ stream: true }), await gateway.respond({ stream: true })];

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [502, 'bad_upstream'],
      [502, 'bad_upstream'],
    ]);
  });

  it('keeps the error of its server, and gets one where there is none', async () => {
    const error = { code: 'server_error', message: 'Out of memory.' };
    for (const told of [error, null, undefined]) {
      gateway.backend.answer(stream(CREATED, namedEvent('response.failed', { response: { error: told } })));

      const { body } = await gateway.respond({ stream: true });

      expect(namedEventsOf(body).at(-1).response.error).toEqual(told ?? FAILED);
    }
  });

  it('says so over GraphQL too, as its last event', async () => {
    gateway.backend.answer(cutOff(...completeEvents('Hi').slice(0, 4)));
    const query = 'subscription ($body: JSON!) { responseStream(body: $body) { type sequenceNumber raw } }';
    const variables = { body: { model: 'scripted', input: 'Hi' } };

    const { body } = await gateway.post('/graphql', { query, variables }, { headers: { accept: 'text/event-stream' } });

    const results = sseResults(body);
    expect(results.every(({ errors }) => errors === undefined)).toBe(true);
    expect(results.at(-1)?.data.responseStream).toMatchObject({
      type: 'response.failed',
      sequenceNumber: 4,
      raw: { response: { status: 'failed', error: FAILED } },
    });
  });

  it('says so to the OpenAI SDK', async () => {
    gateway.backend.answer(cutOff(...completeEvents('Hi').slice(0, 4)));

    const types: string[] = [];
    for await (const { type } of await openaiClient(gateway).responses.create({
      model: 'scripted',
      input: 'Hello?',
      stream: true,
    })) {
      types.push(type);
    }

    expect(types.at(-1)).toBe('response.failed');
  });

  it('says so where its token is deleted', async () => {
    const { id, token } = await addApiToken(gateway.platform, gateway.token);
    gateway.backend.answer(stream(CREATED, new Promise(() => undefined)));
    const body = { model: 'scripted', input: 'Hi', stream: true };
    const response = await gateway.platform.send('POST', '/v1/responses', { token, body });

    await gateway.request('DELETE', `/v1/api-tokens/${id}`);

    expect(namedEventsOf(await response.text()).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'unauthorized', reason: 'token_revoked' } },
    });
  });
});

describe('a stream of a response through chat that fails', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  it.each([
    ['cut off', cutOff(chunk({ content: 'Hi' }))],
    ['an error', stream(chunk({ content: 'Hi' }), event({ error: { message: 'no', code: 500 } }))],
  ])('ends in response.failed: %s', async (_why, script) => {
    gateway.backend.answer(script);

    const { body } = await gateway.respond({ stream: true });

    const events = namedEventsOf(body);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: FAILED } });
    expect(unpublishedInStream(body)).toEqual({ responses: 3, wrong: [] });
  });
});

describe('a stream of a response that a policy stops', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({ backends: [{ supports: ['chat'] }] });
    await calls.use([{ applies_to: 'output', action: 'block' }]);
  });
  afterAll(() => calls.close());

  it('ends in response.failed with the number behind the last event that was sent', async () => {
    const gate = Promise.withResolvers<void>();
    calls.gateway.backend.answer(
      stream(chunk({ content: 'Hello. ' }), gate.promise, chunk({ content: 'Ask ada@example.com or him. ' })),
    );
    const { platform, token } = calls.gateway;
    const body = { model: 'scripted', input: 'Hi', stream: true };
    const response = await platform.send('POST', '/v1/responses', { token, body });
    gate.resolve();

    const events = namedEventsOf(await response.text());

    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code: 'content_blocked' } } });
  });
});
