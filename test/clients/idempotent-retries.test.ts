import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { CHAT } from '../support/builders/chat-request.js';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import { eventually } from '../support/probes/eventually.js';
import { countCalls } from '../support/probes/ledger-rows.js';
import { onReplicas, REDIS_URL } from '../support/servers/services.js';
import { openaiClient } from '../support/builders/openai-client.js';
import { completion, heldUntil, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { clientTitle } from './client-title.js';
import { startLossyProxy } from './lossy-proxy.js';
import type { LossyProxy } from './lossy-proxy.js';

describe(clientTitle('openai'), () => {
  let gateway: Gateway;
  let proxy: LossyProxy;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await startGateway({ env: { REDIS_URL: REDIS_URL ?? '' } });
    proxy = await startLossyProxy(() => gateway.platform.url);
    client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: gateway.token });
  });
  afterAll(() => proxy.close().then(() => gateway.close()));

  it('Idempotency-Key: is charged once when the answer is lost', async () => {
    const [seen, rows] = [gateway.received, await countCalls(gateway.platform)];
    gateway.backend.answer(completion('The one.'), completion('A second one.'));
    proxy.lost.next = 2;

    const answer = await client.chat.completions.create(question(), withKey());

    expect(answer.choices[0]?.message.content).toBe('The one.');
    expect(gateway.received - seen).toBe(1);
    expect((await countCalls(gateway.platform)) - rows).toBe(1);
    gateway.backend.forget();
  });

  it('Idempotency-Key: is charged once when a stream is lost', async () => {
    const [seen, rows] = [gateway.received, await countCalls(gateway.platform)];
    gateway.backend.answer(stream(...wholeStream('The ', 'one.')));
    proxy.lost.next = 1;

    const events = await client.chat.completions.create({ ...question(), stream: true }, withKey());
    let text = '';
    for await (const event of events) text += event.choices[0]?.delta.content ?? '';

    expect(text).toBe('The one.');
    expect(gateway.received - seen).toBe(1);
    expect((await countCalls(gateway.platform)) - rows).toBe(1);
  });

  it('Idempotency-Key: is charged once when its timeout is shorter than the answer takes', async () => {
    const { platform, token, backend } = gateway;
    const impatient = new OpenAI({ baseURL: `${platform.url}/v1`, apiKey: token, timeout: 300, maxRetries: 50 });
    const [seen, rows, lines] = [gateway.received, await countCalls(platform), platform.logLines.length];
    const gate = Promise.withResolvers<void>();
    backend.answer(heldUntil(gate.promise, completion('The one.')), completion('A second one.'));

    const answer = impatient.chat.completions.create(question(), withKey());
    await eventually('the client has left', 10, () =>
      platform.logLines.slice(lines).some((line) => line.includes('499')),
    );
    gate.resolve();

    expect((await answer).choices[0]?.message.content).toBe('The one.');
    expect(gateway.received - seen).toBe(1);
    expect((await countCalls(platform)) - rows).toBe(1);
    backend.forget();
  });

  onReplicas.it('Idempotency-Key: gets one answer from two replicas at the same time', async () => {
    const replica = await gateway.platform.startReplica();
    const other = openaiClient({ platform: replica, token: gateway.token }, 2);
    const [seen, rows, options] = [gateway.received, await countCalls(gateway.platform), withKey()];
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion('The one.')));
    const received = gateway.backend.nextRequest();

    const answers = [client, other].map((each) => each.chat.completions.create(question(), options));
    await received;
    gate.resolve();
    const [first, second] = await Promise.all(answers);
    await replica.close();

    expect(second).toEqual(first);
    expect(gateway.received - seen).toBe(1);
    expect((await countCalls(gateway.platform)) - rows).toBe(1);
  });

  function question(): OpenAI.ChatCompletionCreateParamsNonStreaming {
    return { ...CHAT, messages: [...CHAT.messages] };
  }

  function withKey() {
    return { headers: { 'Idempotency-Key': randomUUID() } };
  }
});
