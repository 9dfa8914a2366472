import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant, addUser, signIn } from '../../support/accounts.js';
import { startGateway } from '../../support/gateway.js';
import type { Gateway } from '../../support/gateway.js';
import type { RestAnswer } from '../../support/platform.js';
import { greedyAnswer, IMAGE } from '../../support/greedy-server.js';
import { completion } from '../../support/scripted-backend.js';

const LIMIT = 20_000;
/** About 60,000 tokens. */
const LONG = 'All work and no play makes Jack a dull boy. '.repeat(6_800);
const MESSAGE = { role: 'user', content: 'Say hello.' };
const CHAT = '/v1/chat/completions';

describe('an enforced quota of tokens', () => {
  let gateway: Gateway;
  let token: string;
  let tenantId: string;

  beforeAll(async () => {
    gateway = await startGateway({ backends: [{ supports: ['chat', 'completions', 'responses'] }] });
    gateway.backend.byDefault = (request) => greedyAnswer(request);
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    tenantId = await addTenant(gateway.platform);
    const { email } = await addUser(gateway.platform, tenantId);
    token = (await signIn(gateway.platform, email)).access_token;
    await limit({ enforcing: true, user_tokens: LIMIT });
  });

  const attacks: Record<string, [path: string, body: object]> = {
    'a bound that another engine reads': [CHAT, { messages: [MESSAGE], max_tokens: 1, n_predict: 50_000 }],
    'a nested bound': [CHAT, { messages: [MESSAGE], max_tokens: 1, options: { num_predict: 50_000 } }],
    'a bound as a text': [CHAT, { messages: [MESSAGE], max_tokens: 1, max_new_tokens: '50000' }],
    'a bound of none beside another': [CHAT, { messages: [MESSAGE], max_tokens: 1, n_predict: -1 }],
    'a bound of nothing': ['/v1/completions', { prompt: 'Hello', max_tokens: 0 }],
    'no bound at all': [CHAT, { messages: [MESSAGE] }],
    'a least length': [CHAT, { messages: [MESSAGE], max_tokens: 1, min_tokens: 50_000 }],
    'a budget of thoughts': [CHAT, { messages: [MESSAGE], max_tokens: 1, thinking: { budget_tokens: 50_000 } }],
    'many answers': [CHAT, { messages: [MESSAGE], max_tokens: 1, num_return_sequences: 50_000 }],
    'a long response': ['/v1/responses', { input: 'Hello', max_output_tokens: 1, max_new_tokens: 50_000 }],
    'an unbounded response': ['/v1/responses', { input: 'Hello' }],
    '20,000 empty messages': [CHAT, { messages: Array(20_000).fill({ role: 'user', content: '' }), max_tokens: 1 }],
  };
  it.each(Object.entries(attacks))('is not overspent with %s', async (_name, [path, body]) => {
    for (let calls = 0; calls < 4; calls += 1) await post(path, body);

    expect(await used()).toBeLessThanOrEqual(LIMIT);
  });
  const places: Record<string, object> = {
    'a name': ofMessage({ name: LONG }),
    'a role': ofMessage({ role: LONG }),
    thoughts: ofMessage({ reasoning: LONG }),
    'a refusal': ofMessage({ refusal: LONG }),
    'the id of a call': ofMessage({ role: 'tool', tool_call_id: LONG }),
    'a call of a tool': ofMessage({ tool_calls: [{ id: LONG }] }),
    'an unknown part': ofMessage({ content: [{ type: 'other', other: { deep: [LONG] } }] }),
    'the type of a part': ofMessage({ content: [{ type: LONG }] }),
    'a file': ofMessage({ content: [{ type: 'file', file: { file_data: LONG } }] }),
    'what is no image': ofMessage({
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${LONG}` } }],
    }),
    'the detail of an image': ofMessage({ content: [{ type: 'image_url', image_url: { url: IMAGE, detail: LONG } }] }),
    'what is no sound': ofMessage({ content: [{ type: 'input_audio', input_audio: { data: LONG, format: 'wav' } }] }),
    'a grammar': ofBody({ grammar: LONG }),
    'a guided schema': ofBody({ guided_json: { description: LONG } }),
    'texts that end it': ofBody({ stop: [LONG] }),
    'a prediction': ofBody({ prediction: { type: 'content', content: LONG } }),
    'a form': ofBody({ response_format: { type: 'other', other: LONG } }),
    'a user': ofBody({ user: LONG }),
    'the options of a stream': ofBody({ stream_options: { other: LONG } }),
    'any other field': ofBody({ other: LONG }),
    'the name of a field': ofBody({ [LONG]: true }),
    'a field like a prototype': ofBody(JSON.parse(`{"__proto__":{"other":${JSON.stringify(LONG)}}}`) as object),
    'a field like a constructor': ofBody({ constructor: LONG }),
  };
  it.each(Object.entries(places))('is not overspent by a long prompt in %s', async (_name, body) => {
    await post(CHAT, body);

    expect(await used()).toBeLessThanOrEqual(LIMIT);
  });

  it.each(Object.entries(places))('is charged for %s where the model server tells no usage', async (_name, body) => {
    await limit({ enforcing: true, user_tokens: 1_000_000 });
    gateway.backend.answer(completion('Hello.', { usage: undefined }));

    const { status } = await post(CHAT, body);

    expect(status).toBe(200);
    expect(await used()).toBeGreaterThan(50_000);
    expect(await used()).toBeLessThan(120_000);
  });

  it('is not overspent by 400 short calls at once, and used up by them', async () => {
    const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 60 };

    const answers = await Promise.all(Array.from({ length: 400 }, () => post(CHAT, body)));
    const tokens = await used();

    expect(tokens).toBeLessThanOrEqual(LIMIT);
    expect(tokens).toBeGreaterThan(LIMIT / 4);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  async function limit(quota: object): Promise<void> {
    const path = `/v1/admin/tenants/${tenantId}/quota`;
    await gateway.platform.request('PUT', path, { token: gateway.token, body: quota });
  }

  function post(path: string, body: object): Promise<RestAnswer> {
    return gateway.platform.request('POST', path, { token, body: { model: 'scripted', ...body } });
  }

  async function used(): Promise<number> {
    return (await gateway.platform.request('GET', '/v1/quota', { token })).body.usage.tokens;
  }

  function ofMessage(members: object): object {
    return { messages: [{ ...MESSAGE, ...members }], max_tokens: 1 };
  }

  function ofBody(members: object): object {
    return { messages: [MESSAGE], max_tokens: 1, ...members };
  }
});
