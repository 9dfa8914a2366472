import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import { startGateway } from '../support/gateway.js';
import type { Gateway } from '../support/gateway.js';
import { chunk, completion, DONE, stream, usageChunk } from '../support/scripted-backend.js';
import type { Piece } from '../support/scripted-backend.js';
import { clientTitle } from './client-title.js';

const QUESTION = { model: 'scripted', messages: [{ role: 'user' as const, content: 'Hello?' }] };

// Replicas share answers through Redis, and the embedded database serves one process.
const onReplicas = process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL ? it : it.skip;

describe(clientTitle('openai'), () => {
  let gateway: Gateway;
  let proxy: Awaited<ReturnType<typeof startLossyProxy>>;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await startGateway({ env: { REDIS_URL: process.env.TEST_REDIS_URL ?? '' } });
    proxy = await startLossyProxy(() => gateway.platform.url);
    client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: gateway.token });
  });
  afterAll(async () => {
    await proxy.close();
    await gateway.close();
  });

  it('Idempotency-Key: pays once for an answer that was lost on its way', async () => {
    const [seen, rows] = [gateway.backend.requests.length, await countRows()];
    gateway.backend.answer(completion('The one.'), completion('A second one.'));
    proxy.lost.next = 2;

    const answer = await client.chat.completions.create(QUESTION, withKey());

    expect(answer.choices[0]?.message.content).toBe('The one.');
    expect(gateway.backend.requests.length - seen).toBe(1);
    expect((await countRows()) - rows).toBe(1);
    gateway.backend.forget();
  });

  it('Idempotency-Key: pays once for a stream that was lost on its way', async () => {
    const [seen, rows] = [gateway.backend.requests.length, await countRows()];
    gateway.backend.answer(
      stream(
        chunk({ role: 'assistant' }),
        chunk({ content: 'The ' }),
        chunk({ content: 'one.' }),
        chunk({}, 'stop'),
        usageChunk(),
        DONE,
      ),
    );
    proxy.lost.next = 1;

    const events = await client.chat.completions.create({ ...QUESTION, stream: true }, withKey());
    let text = '';
    for await (const event of events) text += event.choices[0]?.delta.content ?? '';

    expect(text).toBe('The one.');
    expect(gateway.backend.requests.length - seen).toBe(1);
    expect((await countRows()) - rows).toBe(1);
  });

  onReplicas('Idempotency-Key: gets the one answer from two replicas that it asks at once', async () => {
    const replica = await createApp(gateway.platform.config, pino({ level: 'silent' }));
    const other = new OpenAI({ baseURL: `${await replica.listen()}/v1`, apiKey: gateway.token });
    const [seen, rows, options] = [gateway.backend.requests.length, await countRows(), withKey()];
    const gate = Promise.withResolvers<void>();
    const script = completion('The one.');
    gateway.backend.answer({ ...script, pieces: [gate.promise, ...(script.pieces as Piece[])] });
    const received = gateway.backend.nextRequest();

    const answers = [client, other].map((each) => each.chat.completions.create(QUESTION, options));
    await received;
    gate.resolve();
    const [first, second] = await Promise.all(answers);
    await replica.close();

    expect(second).toEqual(first);
    expect(gateway.backend.requests.length - seen).toBe(1);
    expect((await countRows()) - rows).toBe(1);
  });

  function withKey() {
    return { headers: { 'Idempotency-Key': randomUUID() } };
  }

  async function countRows(): Promise<number> {
    return (await gateway.platform.app.database.dataSource.query('SELECT id FROM calls')).length;
  }
});

/** A proxy that loses as many answers as a test wants, after it has received them whole. */
async function startLossyProxy(target: () => string) {
  const lost = { next: 0 };
  const server = createServer(async (request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(target() + (request.url ?? ''), {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: request,
      duplex: 'half',
    } as RequestInit);
    const body = Buffer.from(await answer.arrayBuffer());
    if (lost.next > 0) {
      lost.next -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, lost, close: () => new Promise((resolve) => server.close(resolve)) };
}
