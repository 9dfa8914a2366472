import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { userMessage } from '../support/builders/chat-request.js';
import { eventually } from '../support/probes/eventually.js';
import { countCalls } from '../support/probes/ledger-rows.js';
import { addSignedInUser } from '../support/builders/accounts.js';
import { breakLedger } from '../support/servers/broken-ledger.js';
import type { RestAnswer } from '../support/servers/platform.js';
import {
  chunk,
  completion,
  DONE,
  heldUntil,
  htmlPage,
  json,
  stream,
  usageChunk,
} from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

const BODY = { model: 'scripted', messages: [userMessage('My favourite colour is octarine.')] };

describe('a request with an Idempotency-Key', () => {
  const gateway = useGateway({ env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });

  it('is answered once, and told again with one upstream call and one charge', async () => {
    const key = randomUUID();
    const [seen, recorded] = [gateway.received, await countCalls(gateway.platform)];
    gateway.backend.answer(completion('Octarine.'));

    const answers = [await chat(key), await chat(key), await chat(key)];

    const [first] = answers;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill(first?.body));
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true']);
    expect(gateway.received - seen).toBe(1);
    expect((await countCalls(gateway.platform)) - recorded).toBe(1);
  });

  it('replays a stream event for event', async () => {
    const key = randomUUID();
    const seen = gateway.received;
    gateway.backend.answer(
      stream(
        chunk({ role: 'assistant' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        chunk({}, 'stop'),
        usageChunk(),
        DONE,
      ),
    );
    const body = { ...BODY, stream: true, stream_options: { include_usage: true } };

    const [first, second] = [await chat(key, body), await chat(key, body)];

    expect(first.body).toContain('data: [DONE]');
    expect(second.body).toBe(first.body);
    expect(second.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.received - seen).toBe(1);
  });

  it('is refused with another body, also while the first is answered', async () => {
    const key = randomUUID();
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion('Hello.')));
    const received = gateway.backend.nextRequest();
    const first = chat(key);
    await received;

    const during = await chat(key, { ...BODY, temperature: 1 });
    gate.resolve();
    await first;
    const after = await chat(key, { ...BODY, temperature: 1 });

    for (const { status, body, headers } of [during, after]) {
      expect([status, body.error.type, body.error.code]).toEqual([409, 'conflict_error', 'idempotency_mismatch']);
      expect(headers.get('x-should-retry')).toBe('false');
    }
  });

  it('waits for the first, which others are told of', async () => {
    const key = randomUUID();
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion('Hello.')));
    const received = gateway.backend.nextRequest();
    const first = chat(key);
    await received;

    const during = await chat(key);
    gate.resolve();
    const { body } = await first;
    const after = await chat(key);

    expect([during.status, during.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    expect([during.headers.get('x-should-retry'), during.headers.get('retry-after')]).toEqual(['true', '1']);
    expect(after.body).toEqual(body);
  });

  it('is made anew where the first one failed', async () => {
    const key = randomUUID();
    gateway.backend.answer(htmlPage(502), htmlPage(502), htmlPage(502), completion('At last.'));

    const answers = [await chat(key)];
    for (let tries = 0; tries < 3 && answers.at(-1)?.status !== 200; tries += 1) answers.push(await chat(key));

    expect(answers[0]?.status).toBe(502);
    expect(answers.at(-1)?.body.choices[0].message.content).toBe('At last.');
  });

  it('tells a refusal of the request again, but not what was true for a moment', async () => {
    const [refused, away] = [randomUUID(), randomUUID()];
    const seen = gateway.received;
    gateway.backend.answer(json(400, { error: { message: 'Too many messages.' } }));

    const answers = [await chat(refused), await chat(refused)];
    const unknown = [await chat(away, { ...BODY, model: 'none' }), await chat(away, { ...BODY, model: 'none' })];

    expect(answers.map(({ status, body }) => [status, body.error.message])).toEqual(
      Array(2).fill([400, 'Too many messages.']),
    );
    expect(unknown.map(({ status }) => status)).toEqual([404, 404]);
    expect(gateway.received - seen).toBe(1);
  });

  it('belongs to one user and one path', async () => {
    const key = randomUUID();
    const other = await addSignedInUser(gateway.platform);
    const seen = gateway.received;

    const answers = [
      await chat(key),
      await chat(key, BODY, other.token),
      await post('/v1/completions', key, { model: 'scripted', prompt: 'x' }),
    ];

    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(
      Array(3).fill([200, null]),
    );
    expect(gateway.received - seen).toBe(3);
  });

  it('is not replayed for another session of the same user, nor charged again', async () => {
    const key = randomUUID();
    const seen = gateway.received;
    await chat(key);
    const session = (await gateway.platform.login()).access_token;

    const answer = await chat(key, BODY, session);

    expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_not_replayable']);
    expect(gateway.received - seen).toBe(1);
  });

  it('needs a key of the right form, but on public operations', async () => {
    const answers = [await chat('too short'), await chat('ü'.repeat(20)), await chat('x'.repeat(256))];
    const { email, password } = gateway.platform.admin;
    const login = await post('/v1/auth/login', 'too short', { email, password });

    for (const { status, body } of answers) expect([status, body.error.param]).toEqual([400, 'Idempotency-Key']);
    expect(login.status).toBe(200);
  });

  it('makes a thing once, and tells its secret again to whoever made it', async () => {
    const key = randomUUID();
    const body = { name: 'A token', scopes: ['chat:write'] };

    const [first, second] = [await post('/v1/api-tokens', key, body), await post('/v1/api-tokens', key, body)];
    const other = await post('/v1/api-tokens', key, { ...body, name: 'Another' });
    const elsewhere = await post('/v1/api-tokens', key, body, (await gateway.platform.login()).access_token);
    const list = await gateway.get('/v1/api-tokens');

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect([other.body.error.code, elsewhere.body.error.code]).toEqual([
      'idempotency_mismatch',
      'idempotency_not_replayable',
    ]);
    expect(list.body.data).toHaveLength(1);
  });

  it('is made once when many come at the same time', async () => {
    const key = randomUUID();
    const body = { name: 'At once', scopes: ['chat:write'] };

    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/v1/api-tokens', key, body)));
    const list = await gateway.get('/v1/api-tokens?limit=100');

    expect(
      answers.filter(({ status, headers }) => status === 201 && !headers.get('idempotency-replayed')),
    ).toHaveLength(1);
    for (const { status, body: answer } of answers)
      if (status !== 201) expect(answer.error.code).toBe('idempotency_in_progress');
    expect(list.body.data.filter(({ name }: { name: string }) => name === 'At once')).toHaveLength(1);
  });

  it('is free again after a refusal because its claim could not be recorded in time', async () => {
    const key = randomUUID();
    const [path, body] = ['/v1/api-tokens', { name: 'late', scopes: ['quota:read'] }];
    const ledger = await breakLedger(gateway.platform);
    const refused = await post(path, key, body);
    await ledger.mend();

    // The claim of the first is written now, and freed at once.
    const retried = await eventually('the key is free', 5, async () => {
      const { status } = await post(path, key, body);
      return status === 201 && status;
    });

    expect([refused.status, retried]).toEqual([503, 201]);
  });

  it('works for a mutation with one root field over GraphQL', async () => {
    const key = randomUUID();
    const query =
      'mutation ($input: JSON!) { createChatCompletion(body: $input) { id choices { message { content } } } }';
    const send = (): Promise<RestAnswer> => post('/graphql', key, { query, variables: { input: BODY } });
    const seen = gateway.received;

    const [first, second] = [await send(), await send()];
    const other = await post('/graphql', key, { query, variables: { input: { ...BODY, temperature: 0 } } });

    expect(first.body.errors).toBeUndefined();
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(other.body.errors[0].extensions.code).toBe('idempotency_mismatch');
    expect(gateway.received - seen).toBe(1);
  });

  it('leaves no prompt and no answer in the database, and after a restart refuses rather than charges', async () => {
    const [call, made] = [randomUUID(), randomUUID()];
    const seen = gateway.received;
    await chat(call);
    const first = await post('/v1/api-tokens', made, { name: 'Stored', scopes: ['chat:write'] });
    const rows = JSON.stringify(await gateway.platform.query('SELECT * FROM calls'));
    await gateway.platform.restart();

    const [again, token] = [
      await chat(call),
      await post('/v1/api-tokens', made, { name: 'Stored', scopes: ['chat:write'] }),
    ];

    expect(rows).not.toMatch(/octarine/i);
    expect(rows).not.toContain(first.body.token.split('.')[1]);
    if (process.env.TEST_REDIS_URL === undefined) expect(again.body.error.code).toBe('idempotency_not_replayable');
    expect(gateway.received - seen).toBe(1);
    expect(token.body).toEqual(first.body);
  });

  function post(path: string, key: string, body: unknown = BODY, as = gateway.token): Promise<RestAnswer> {
    return gateway.post(path, body, { token: as, headers: { 'idempotency-key': key } });
  }

  function chat(key: string, body: unknown = BODY, as = gateway.token): Promise<RestAnswer> {
    return post('/v1/chat/completions', key, body, as);
  }
});
