import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHAT } from '../../support/builders/chat-request.js';
import { metricValue } from '../../support/probes/metrics.js';
import { setQuota, usedOf } from '../../support/builders/quota.js';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { greedyAnswer, IMAGE } from '../../support/servers/greedy-server.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { completion, helloTo, stream, wholeStream } from '../../support/servers/scripted-backend.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const SERVICE = newServiceKey();
const LIMIT = 20_000;
const CHAT_PATH = '/v1/chat/completions';

describe('what a call reserves', () => {
  let gateway: Gateway;
  let user: SignedInUser;

  beforeAll(async () => {
    const env = { QUOTA_TOKENS_PER_MONTH: String(LIMIT), RESERVED_TOKENS_PER_MEDIA_PART: '1000' };
    gateway = await startGateway({ env: { ...SERVICE.env, ...env } });
  });
  afterAll(() => gateway.close());
  beforeEach(begin);

  it('is sent as the bound of an answer that has none, while the quota is enforced', async () => {
    const plain = await sent(CHAT_PATH, { messages: CHAT.messages });
    const unbounded = await sent(CHAT_PATH, {
      messages: CHAT.messages,
      max_tokens: -1,
      options: { num_predict: -1, seed: 5 },
    });
    const foreign = await sent(CHAT_PATH, { messages: CHAT.messages, n_predict: 5_000 });
    gateway.backend.byDefault = (request) => greedyAnswer(request);
    const response = await sent('/v1/responses', { input: 'Hello' });
    const bounded = await sent(CHAT_PATH, { messages: CHAT.messages, max_completion_tokens: 5 });

    expect([plain, unbounded, foreign, response, bounded]).toEqual([
      { max_tokens: 4_096 },
      { max_tokens: 4_096, options: { seed: 5 } },
      { max_tokens: 5_000, n_predict: 5_000 },
      { input: 'Hello', max_output_tokens: 4_096 },
      { max_completion_tokens: 5 },
    ]);
  });

  it('is sent with a stream', async () => {
    gateway.backend.answer(stream(...wholeStream('a')));

    const fields = await sent(CHAT_PATH, { messages: CHAT.messages, stream: true });

    expect(fields).toEqual({ max_tokens: 4_096, stream_options: { include_usage: true } });
  });

  it('is sent to nobody where no limit of tokens is enforced, from the next call on', async () => {
    const body = { messages: CHAT.messages, max_tokens: -1, n_predict: -1 };

    const before = await sent(CHAT_PATH, body);
    await limitTo({ enforcing: false, user_tokens: 100 });
    const reported = await sent(CHAT_PATH, body);
    await limitTo({ enforcing: true, user_requests: 100 });
    const counted = await sent(CHAT_PATH, body);
    await limitTo({ enforcing: true, tokens: 10_000 });
    const limited = await sent(CHAT_PATH, body);

    const bare = { max_tokens: -1, n_predict: -1 };
    expect([before, reported, counted, limited]).toEqual([{ max_tokens: 4_096 }, bare, bare, { max_tokens: 4_096 }]);
  });

  it('has a bound for an image in place of its bytes, which is charged where its model server tells no usage', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: IMAGE } },
    ];
    gateway.backend.answer(completion('A cat.', { usage: undefined }));

    const { status } = await post(CHAT_PATH, { messages: [{ role: 'user', content }], max_tokens: 10 });

    expect(status).toBe(200);
    expect(await used()).toBeGreaterThan(1_000);
    expect(await used()).toBeLessThan(1_050);
  });

  it('is for all batches of embeddings', async () => {
    gateway.backend.byDefault = (request) => greedyAnswer(request);
    const input = Array.from({ length: 600 }, (_, index) => `text ${index}`);
    const other = 'All work and no play makes Jack a dull boy. '.repeat(500);

    const { status } = await post('/v1/embeddings', { input, other });
    const plain = await post('/v1/embeddings', { input });

    // Three batches with 5,500 tokens each do not fit beside what the inputs reserve.
    expect([status, plain.status]).toEqual([429, 200]);
    expect(await used()).toBeLessThanOrEqual(LIMIT);
  });

  it('counts where a model server tells more, which is charged as it is told', async () => {
    const usage = { prompt_tokens: 3_000, completion_tokens: 2_000, total_tokens: 5_000 };
    const valueOf = (series: string) => metricValue(gateway.platform, SERVICE.key, series);
    const before = await valueOf('platform_reservation_exceeded_total');
    gateway.backend.answer(completion('Hello.', { usage }), completion('Hello.'));

    for (let calls = 0; calls < 2; calls += 1) await post(CHAT_PATH, { messages: CHAT.messages, max_tokens: 100 });

    expect([before, await valueOf('platform_reservation_exceeded_total')]).toEqual([0, 1]);
    expect(await valueOf('platform_reservation_exceeded_tokens_total')).toBeGreaterThan(4_800);
    expect(await used()).toBe(5_010);
  });

  it('is nothing any more where a call is refused or fails', async () => {
    const open = `SELECT count(*)::int AS calls, sum(reserved_tokens)::int AS tokens FROM calls WHERE tenant_id = $1`;
    const refused = await post(CHAT_PATH, { messages: CHAT.messages, max_tokens: 1e308, n: 128 });
    const [none] = await gateway.platform.query(open, [user.tenantId]);
    gateway.backend.answer({ status: 400, pieces: ['{}'] });
    const failed = await post(CHAT_PATH, { messages: CHAT.messages, max_tokens: 19_000 });
    const [one] = await gateway.platform.query(open, [user.tenantId]);
    const whole = await post(CHAT_PATH, { messages: CHAT.messages, max_tokens: 19_000 });

    expect([refused.status, failed.status, whole.status]).toEqual([429, 400, 200]);
    expect([none, one]).toEqual([
      { calls: 0, tokens: null },
      { calls: 1, tokens: 0 },
    ]);
  });

  async function begin(): Promise<void> {
    user = await addSignedInUser(gateway.platform, await addTenant(gateway.platform));
    gateway.backend.reset();
    gateway.backend.byDefault = helloTo;
  }

  function post(path: string, body: object): Promise<RestAnswer> {
    return gateway.post(path, { model: 'scripted', ...body }, { token: user.token });
  }

  function limitTo(quota: object): Promise<RestAnswer> {
    return setQuota(gateway, quota, user.tenantId);
  }

  async function used(): Promise<number> {
    return (await usedOf({ platform: gateway.platform, token: user.token })).tokens;
  }

  async function sent(path: string, body: object): Promise<object> {
    const { status } = await post(path, body);
    expect(status).toBe(200);
    const {
      model: _model,
      messages: _messages,
      stream: _stream,
      ...fields
    } = gateway.backend.requests.at(-1)?.body ?? {};
    return fields;
  }
});

describe('what a response reserves', () => {
  it('is sent through chat completions too, as its model is configured', async () => {
    const models = [{ id: 'scripted', max_tokens: 500 }];
    const gateway = await startGreedy({ supports: ['chat'], models }, { enforcing: true, tokens: LIMIT });

    const { status } = await gateway.post('/v1/responses', { model: 'scripted', input: 'Hello' });
    await gateway.close();

    expect(status).toBe(200);
    expect(gateway.backend.requests[0]?.body).toEqual({
      model: 'scripted',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 500,
    });
  });

  it('has the conversation that its backend keeps', async () => {
    const supports = ['responses', 'responses_store'];
    const gateway = await startGreedy({ supports }, { enforcing: true, tokens: 40_000 });
    const usage = Promise.resolve({ input_tokens: 15_000, output_tokens: 10, total_tokens: 15_010 });
    gateway.backend.byDefault = (request) => greedyAnswer(request, usage);
    const long = 'All work and no play makes Jack a dull boy. '.repeat(1_300);

    const shared = { model: 'scripted', max_output_tokens: 10 };
    const first = await gateway.post('/v1/responses', { ...shared, input: long });
    const next = { ...shared, input: 'Go on.', previous_response_id: first.body.id };
    const statuses = [];
    for (let calls = 0; calls < 3; calls += 1) statuses.push((await gateway.post('/v1/responses', next)).status);
    const { tokens } = await usedOf(gateway);
    await gateway.close();

    expect([first.status, ...statuses]).toEqual([200, 200, 429, 429]);
    expect(tokens).toBe(30_020);
  });

  async function startGreedy(backend: object, quota: object): Promise<Gateway> {
    const gateway = await startGateway({ backends: [backend] });
    gateway.backend.byDefault = (request) => greedyAnswer(request);
    await setQuota(gateway, quota);
    return gateway;
  }
});
