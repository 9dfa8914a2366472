import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { LEFT_CALLS_ENV, LeftCalls, slow } from '../support/builders/left-calls.js';
import { eventually } from '../support/probes/eventually.js';
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

  it('is the answer of a retry there also where its client left before it was recorded', async () => {
    const key = randomUUID();
    const [gate, controller] = [Promise.withResolvers<void>(), new AbortController()];
    gateway.backend.answer(slow(completion('Late.'))(gate.promise));
    const unlock = await lockCounters();
    const request = { token: gateway.token, headers: { 'idempotency-key': key }, signal: controller.signal };
    gateway.post(PATH, CHAT, request).catch(() => undefined);
    await eventually('the call waits for its record', 5, waitsForCounters);
    controller.abort();
    await eventually('the call goes on', 5, async () => (await calls.count()) === 1);
    await unlock();

    await eventually('the other replica can know', 5, async () => {
      const [row] = await gateway.platform.query<{ left: boolean }>(
        "SELECT is_unattended AS left FROM calls WHERE state = 'open'",
      );
      return row?.left;
    });
    const retry = askReplica(key);
    gate.resolve();

    expect((await retry).body.choices[0].message.content).toBe('Late.');
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

  /** No call is recorded until the function that it answers was called. */
  async function lockCounters(): Promise<() => Promise<void>> {
    const runner = gateway.platform.app.database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE quota_counters IN SHARE MODE');
    return async () => {
      await runner.rollbackTransaction();
      await runner.release();
    };
  }

  async function waitsForCounters(): Promise<boolean> {
    const waiting = await gateway.platform.query(
      "SELECT FROM pg_locks WHERE relation = 'quota_counters'::regclass AND NOT granted",
    );
    return waiting.length > 0;
  }

  function askReplica(key: string, body: object = CHAT) {
    return replica.request('POST', PATH, { token: gateway.token, body, headers: { 'idempotency-key': key } });
  }
});
