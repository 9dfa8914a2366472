import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sseResults } from '../support/builders/graphql-clients.js';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION, ChatTransports } from '../support/builders/chat-transports.js';
import { chunk, completion, DONE, heldUntil, stream, usageChunk } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('a GraphQL operation with an idempotency key', () => {
  const gateway = useGateway();

  describe.each([
    ['graphql-sse', overSse],
    ['graphql-ws', overWs],
  ])('over %s', (_transport, send) => {
    it('streams its results again, and pays once', async () => {
      const key = randomUUID();
      const [seen, recorded] = [gateway.received, await countModelCalls()];
      gateway.backend.answer(hello());

      const [first, second] = [await send(CHAT_OPERATION, key), await send(CHAT_OPERATION, key)];

      expect(JSON.stringify(first.results)).toContain('Hello');
      expect(second.results).toEqual(first.results);
      expect([first.replayed ?? null, second.replayed ?? null]).toEqual([null, send === overSse ? 'true' : null]);
      expect(gateway.received - seen).toBe(1);
      expect((await countModelCalls()) - recorded).toBe(1);
    });

    it('answers a mutation again, through whichever transport it comes', async () => {
      const key = randomUUID();
      const seen = gateway.received;
      gateway.backend.answer(completion('Hello'));

      const first = await send(mutation(), key);
      const second = await send(mutation(), key);
      const third = await gateway.post('/graphql', mutation(), { headers: { 'idempotency-key': key } });

      expect(JSON.stringify(first.results)).toContain('Hello');
      expect(second.results).toEqual(first.results);
      expect([third.body]).toEqual(first.results);
      expect(gateway.received - seen).toBe(1);
    });

    it('makes a stream anew that did not become whole, and refuses another body or a key that is none', async () => {
      const key = randomUUID();
      gateway.backend.answer(stream(chunk({ content: 'Hel' })), hello());

      const cut = await send(CHAT_OPERATION, key);
      const whole = await send(CHAT_OPERATION, key);
      const other = await send({ ...CHAT_OPERATION, variables: { body: { ...CHAT, temperature: 0 } } }, key);
      const short = await send(CHAT_OPERATION, 'short');

      expect(codesOf(cut).at(-1)).toBe('bad_upstream');
      expect(JSON.stringify(whole.results)).toContain('Hello');
      expect(codesOf(other)).toEqual(['idempotency_mismatch']);
      expect(codesOf(short)).toEqual(['bad_request']);
    });
  });

  it.each(['graphql-sse', 'graphql-ws'])('goes on where its client leaves in the middle (%s)', async (transport) => {
    const key = randomUUID();
    const seen = gateway.received;
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(
      stream(chunk({ content: 'Hel' }), gate.promise, chunk({ content: 'lo' }), usageChunk(), DONE),
    );
    const transports = new ChatTransports(gateway);
    const left = transport === 'graphql-ws' ? await transports.ws(key) : await transports.sse(key);
    await left.next();

    await left.leave();
    const retries = [overWs(CHAT_OPERATION, key), overSse(CHAT_OPERATION, key)];
    gate.resolve();
    const answers = await Promise.all(retries);

    for (const answer of answers) {
      expect(JSON.stringify(answer.results)).toMatch(/"Hel".*"lo"/);
      expect(codesOf(answer).filter(Boolean)).toEqual([]);
    }
    expect(gateway.received - seen).toBe(1);
  });

  it('goes on where its socket breaks, mutations too', async () => {
    const key = randomUUID();
    const seen = gateway.received;
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion('Hello')));
    const arrival = gateway.backend.nextRequest();
    const client = new ChatTransports(gateway).wsClient();
    const iterator = client.iterate({ ...mutation(), extensions: { idempotencyKey: key } } as never);
    iterator.next().catch(() => undefined);
    await arrival;

    client.terminate();
    const retry = overWs(mutation(), key);
    gate.resolve();

    expect(JSON.stringify((await retry).results)).toContain('Hello');
    expect(gateway.received - seen).toBe(1);
  });

  it.each([
    [
      'a fragment',
      'mutation ($body: JSON!) { ...once } fragment once on Mutation { createChatCompletion(body: $body) { id } }',
    ],
    ['an inline fragment', 'mutation ($body: JSON!) { ... on Mutation { createChatCompletion(body: $body) { id } } }'],
  ])('pays once where its root field stands in %s', async (_where, query) => {
    const key = randomUUID();
    const seen = gateway.received;
    gateway.backend.answer(completion('Hello'), completion('Again'));
    const send = () =>
      gateway.post('/graphql', { query, variables: { body: CHAT } }, { headers: { 'idempotency-key': key } });

    const [first, second] = [await send(), await send()];
    gateway.backend.forget();

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.received - seen).toBe(1);
  });

  it('is refused with several root fields, since each would need a key', async () => {
    const seen = gateway.received;
    const query =
      'mutation ($body: JSON!) { a: createChatCompletion(body: $body) { id } b: createChatCompletion(body: $body) { id } }';

    const { body } = await gateway.post(
      '/graphql',
      { query, variables: { body: CHAT } },
      { headers: { 'idempotency-key': randomUUID() } },
    );

    expect(body.errors[0].extensions.code).toBe('bad_request');
    expect(gateway.received).toBe(seen);
  });

  it('is told while the first one runs', async () => {
    const key = randomUUID();
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(stream(chunk({ content: 'Hello' }), gate.promise, usageChunk(), DONE));
    const arrival = gateway.backend.nextRequest();

    const first = overSse(CHAT_OPERATION, key);
    await arrival;
    const second = await overWs(CHAT_OPERATION, key);
    gate.resolve();

    expect(codesOf(second)).toEqual(['idempotency_in_progress']);
    expect(JSON.stringify((await first).results)).toContain('Hello');
  });

  async function overSse(operation: object, key: string): Promise<Outcome> {
    const headers = { accept: 'text/event-stream', 'idempotency-key': key };
    const answer = await gateway.post('/graphql', operation, { headers });
    return { results: sseResults(answer.body), replayed: answer.headers.get('idempotency-replayed') };
  }

  async function overWs(operation: object, key: string): Promise<Outcome> {
    const client = new ChatTransports(gateway).wsClient();
    try {
      const results: object[] = [];
      for await (const result of client.iterate({ ...operation, extensions: { idempotencyKey: key } } as never)) {
        results.push(result);
      }
      return { results };
    } finally {
      await client.dispose();
    }
  }

  async function countModelCalls(): Promise<number> {
    const sql = 'SELECT id FROM calls WHERE area IS NOT NULL';
    return (await gateway.platform.query(sql)).length;
  }

  function hello() {
    return stream(chunk({ role: 'assistant' }), chunk({ content: 'Hello' }), usageChunk(), DONE);
  }

  function codesOf({ results }: Outcome) {
    return results.map(
      (result) => (result as { errors?: [{ extensions: { code: string } }] }).errors?.[0].extensions.code,
    );
  }
});

interface Outcome {
  readonly results: readonly object[];
  readonly replayed?: string | null;
}

function mutation(): object {
  const query = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { choices { message { content } } } }';
  return { query, variables: { body: CHAT } };
}
