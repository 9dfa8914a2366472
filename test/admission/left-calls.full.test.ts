import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { LEFT_CALLS_ENV, LeftCalls, slow } from '../support/builders/left-calls.js';
import { chunk, completion, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import type { Platform } from '../support/servers/platform.js';
import { onReplicas, REDIS_URL } from '../support/servers/services.js';
import { useGateway } from '../support/servers/use-servers.js';

const PATH = '/v1/chat/completions';

onReplicas.describe('a call with an Idempotency-Key whose client leaves, before two replicas', () => {
  const gateway = useGateway(() => ({
    env: { ...LEFT_CALLS_ENV, REDIS_URL: REDIS_URL ?? '', SHUTDOWN_SECONDS: '4' },
  }));
  const calls = new LeftCalls(gateway);
  let replica: Platform;
  beforeAll(async () => {
    replica = await gateway.platform.startReplica();
  });
  afterAll(() => replica.close());
  afterEach(() => gateway.backend.reset());

  it('is the answer of the retry that waits for it at the other one', async () => {
    const key = randomUUID();
    const [call] = await calls.leave([{ path: PATH, body: CHAT, key, script: slow(completion('Late.')) }]);

    const retries = [askReplica(key), call!.again()];
    call!.answer();
    const answers = await Promise.all(retries);

    expect(answers.map(({ body }) => body.choices[0].message.content)).toEqual(['Late.', 'Late.']);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(['true', 'true']);
    expect(gateway.received).toBe(1);
  });

  it('is not waited for there while its client is there', async () => {
    const key = randomUUID();
    const call = await calls.begin({ path: PATH, body: CHAT, key, script: slow(completion('Late.')) });

    const { status, body } = await askReplica(key);
    call.answer();
    await call.again();

    expect([status, body.error.code]).toEqual([409, 'idempotency_in_progress']);
  });

  it('is refused there to another request while it runs', async () => {
    const key = randomUUID();
    const [call] = await calls.leave([{ path: PATH, body: CHAT, key, script: slow(completion('Late.')) }]);

    const { status, body } = await askReplica(key, { ...CHAT, temperature: 1 });
    call!.answer();
    await call!.again();

    expect([status, body.error.code]).toEqual([409, 'idempotency_mismatch']);
  });

  it('is made anew by the retry where the process that has it ends', async () => {
    const key = randomUUID();
    const body = { ...CHAT, stream: true };
    const ending = await gateway.platform.startReplica();
    const controller = new AbortController();
    const arrival = gateway.backend.nextRequest();
    gateway.backend.answer(hanging(chunk({ content: 'Never' })), stream(...wholeStream('Anew.')));
    const headers = { 'idempotency-key': key };
    const { signal } = controller;
    ending.request('POST', PATH, { token: gateway.token, body, headers, signal }).catch(() => undefined);
    await arrival;
    controller.abort();

    const retry = askReplica(key, body);
    await ending.close();

    expect((await retry).body).toContain('Anew.');
    expect(gateway.received).toBe(2);
  });

  function askReplica(key: string, body: object = CHAT) {
    return replica.request('POST', PATH, { token: gateway.token, body, headers: { 'idempotency-key': key } });
  }
});
