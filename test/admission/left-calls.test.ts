import { afterEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../support/builders/accounts.js';
import { CHAT } from '../support/builders/chat-request.js';
import { LEFT_CALLS_ENV, LeftCalls, slow } from '../support/builders/left-calls.js';
import type { SlowCall } from '../support/builders/left-calls.js';
import { HALF_TOLD, PATH, SLOW_CHAT, STREAM, TEXT, VECTORS } from '../support/builders/slow-calls.js';
import { completeEvents, response } from '../support/builders/response-streams.js';
import { toGerman, translating } from '../support/builders/translating-model.js';
import { eventually } from '../support/probes/eventually.js';
import { lastSettledCalls } from '../support/probes/ledger-rows.js';
import { chunk, completion, json, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('a call with an Idempotency-Key whose client leaves', () => {
  const gateway = useGateway({ env: { ...LEFT_CALLS_ENV, MAX_UNATTENDED_CALLS: '8' } });
  const calls = new LeftCalls(gateway);
  afterEach(() => gateway.backend.reset());

  it('goes on, and its answer is that of the retry that waits for it', async () => {
    const [call] = await calls.leave([SLOW_CHAT]);

    const retry = call!.again();
    call!.answer();
    const { status, headers, body } = await retry;

    expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(body.choices[0].message.content).toBe('Late.');
    expect(gateway.received).toBe(1);
  });

  const mutation = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { choices { message { content } } } }';

  it.each<[what: string, call: SlowCall, answer: RegExp]>([
    ['a stream', { ...SLOW_CHAT, body: STREAM, script: slow(stream(...wholeStream('Late.'))) }, /Late\.[^]*\[DONE\]/],
    ['a stream in its middle', HALF_TOLD, /"La"[^]*"te\."[^]*\[DONE\]/],
    [
      'a completion',
      { path: '/v1/completions', body: { model: 'scripted', prompt: 'Hi' }, script: slow(json(200, TEXT)) },
      /Late\./,
    ],
    [
      'a response',
      { path: '/v1/responses', body: { model: 'scripted', input: 'Hi' }, script: slow(response('Late.')) },
      /Late\./,
    ],
    [
      'a streamed response',
      {
        path: '/v1/responses',
        body: { model: 'scripted', input: 'Hi', stream: true },
        script: slow(stream(...completeEvents('Late.'))),
      },
      /response\.completed/,
    ],
    [
      'embeddings',
      { path: '/v1/embeddings', body: { model: 'scripted', input: 'Hi' }, script: slow(json(200, VECTORS)) },
      /"embedding":\[0\.5/,
    ],
    [
      'a translation',
      {
        path: '/v1/translate/text',
        body: { model: 'scripted', text: 'The house is red.', source_language: 'en', target_language: 'de' },
        script: (gate) => ({ pieces: translatedLate(gate) }),
      },
      /"translations":.*"text":"Teh hesuo/,
    ],
    ['a mutation', { ...SLOW_CHAT, path: '/graphql', body: { query: mutation, variables: { body: CHAT } } }, /Late\./],
  ])('is made once where it is %s', async (_what, slowCall, answer) => {
    const [call] = await calls.leave([slowCall]);

    call!.answer();
    const { status, headers, body } = await call!.again();
    const [row] = await lastSettledCalls(gateway.platform);

    expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(typeof body === 'string' ? body : JSON.stringify(body)).toMatch(answer);
    expect(gateway.received).toBe(1);
    expect(row?.outcome).toBe('completed');
    expect(await calls.count()).toBe(0);
  });

  it('holds its part of the quota while it goes on, and is charged once', async () => {
    const [call] = await calls.leave([HALF_TOLD]);
    const reserved = await gateway.platform.query("SELECT reserved_tokens > 0 AS held FROM calls WHERE state = 'open'");

    call!.answer();
    await call!.again();

    expect(reserved).toEqual([{ held: true }]);
    expect(await lastSettledCalls(gateway.platform)).toEqual([
      { area: 'chat', prompt_tokens: 7, completion_tokens: 3, state: 'exact', outcome: 'completed' },
    ]);
  });

  it('waits for retries that leave, too', async () => {
    const [call] = await calls.leave([SLOW_CHAT]);
    const retries = Array.from({ length: 5 }, () => {
      const controller = new AbortController();
      const answered = call!.again(controller.signal).catch(() => 'left');
      return { controller, answered };
    });

    for (const { controller } of retries) controller.abort();
    const left = await Promise.all(retries.map(({ answered }) => answered));
    call!.answer();
    const { body } = await call!.again();

    expect(left).toEqual(Array(5).fill('left'));
    expect(body.choices[0].message.content).toBe('Late.');
    expect(gateway.received).toBe(1);
  });

  it('is made anew by one of those who wait where it fails', async () => {
    const [call] = await calls.leave([{ ...SLOW_CHAT, script: slow(json(500, { error: { message: 'Broken.' } })) }]);
    gateway.backend.answer(completion('At last.'));

    const retries = [call!.again(), call!.again(), call!.again()];
    call!.answer();
    const answers = await Promise.all(retries);

    expect(answers.map(({ body }) => body.choices[0].message.content)).toEqual(Array(3).fill('At last.'));
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(gateway.received).toBe(2);
  });

  it('ends where its answer becomes too large to be kept', async () => {
    const large = chunk({ content: 'x'.repeat(1_100_000) });
    const [call] = await calls.leave([
      { ...SLOW_CHAT, body: STREAM, script: (gate) => ({ ...stream(gate, large), ending: 'hang' }) },
    ]);

    call!.answer();
    await call!.gone;

    expect(await ended()).toMatchObject({ outcome: 'cancelled' });
  });

  it('ends with its session', async () => {
    const { token } = await addSignedInUser(gateway.platform);
    const [call] = await calls.leave([{ ...HALF_TOLD, token }]);

    await gateway.post('/v1/auth/logout', { access_token: token }, { token });
    await call!.gone;

    expect(await ended()).toMatchObject({ outcome: 'cancelled' });
  });

  it('ends where its user, or the tenant, has no place left', async () => {
    const { token } = await addSignedInUser(gateway.platform);
    const { token: third } = await addSignedInUser(gateway.platform);
    const kept = await calls.leave([SLOW_CHAT, SLOW_CHAT, { ...SLOW_CHAT, token }, { ...SLOW_CHAT, token }]);

    const beyond = [await calls.begin(SLOW_CHAT), await calls.begin({ ...SLOW_CHAT, token: third })];
    for (const call of beyond) call.leave();
    await Promise.all(beyond.map(({ gone }) => gone));
    const unattended = await calls.count();
    for (const call of kept) call.answer();
    const answers = await Promise.all(kept.map((call) => call.again()));

    expect(unattended).toBe(4);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(Array(4).fill('true'));
  });

  it('is refused to another request and another session while it goes on', async () => {
    const [call] = await calls.leave([SLOW_CHAT]);
    const session = (await gateway.platform.login()).access_token;

    const other = await call!.again(undefined, { ...CHAT, temperature: 1 });
    const elsewhere = await call!.again(undefined, CHAT, session);
    call!.answer();
    await call!.again();

    expect([other.body.error.code, elsewhere.body.error.code]).toEqual([
      'idempotency_mismatch',
      'idempotency_in_progress',
    ]);
    expect([elsewhere.headers.get('retry-after'), elsewhere.headers.get('x-should-retry')]).toEqual(['1', 'true']);
  });

  async function* translatedLate(gate: Promise<void>): AsyncGenerator<string> {
    await gate;
    const { pieces } = translating(toGerman)(gateway.backend.requests.at(-1)!);
    yield [...(pieces as Iterable<string>)].join('');
  }

  /** The last call, once no call goes on. */
  async function ended() {
    await eventually('no call goes on', 5, async () => (await calls.count()) === 0);
    const [row] = await lastSettledCalls(gateway.platform);
    return row;
  }
});

describe('a call without an Idempotency-Key, or where none may go on', () => {
  const gateway = useGateway({ env: { ...LEFT_CALLS_ENV, MAX_UNATTENDED_CALLS: '0' } });
  const calls = new LeftCalls(gateway);

  it.each([
    ['whole', CHAT],
    ['streamed', STREAM],
  ])('ends when its client leaves (%s)', async (_what, body) => {
    const controller = new AbortController();
    const arrival = gateway.backend.nextRequest();
    gateway.backend.answer({ ending: 'silent' });
    gateway.post(PATH, body, { signal: controller.signal }).catch(() => undefined);
    const { gone } = await arrival;

    controller.abort();
    await gone;
    const keyed = await calls.begin({ path: PATH, body, script: () => ({ ending: 'silent' }) });
    keyed.leave();
    await keyed.gone;

    expect(await calls.count()).toBe(0);
  });
});
