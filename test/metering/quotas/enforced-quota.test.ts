import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { CHAT, userMessage } from '../../support/builders/chat-request.js';
import { greedyAnswer, IMAGE } from '../../support/servers/greedy-server.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { setQuota, usedOf } from '../../support/builders/quota.js';
import { completion } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const LIMIT = 20_000;
const CHAT_PATH = '/v1/chat/completions';

describe('an enforced quota of tokens', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat', 'completions', 'responses'] }] });
  let user: SignedInUser;

  beforeAll(async () => {
    gateway.backend.byDefault = (request) => greedyAnswer(request);
  });
  beforeEach(addLimitedUser);

  it.each(Object.entries(attacks()))('is not overspent with %s', async (_name, [path, body]) => {
    for (let calls = 0; calls < 4; calls += 1) await post(path, body);

    expect(await used()).toBeLessThanOrEqual(LIMIT);
  });

  it.each(Object.entries(places()))('is not overspent by a long prompt in %s', async (_name, body) => {
    await post(CHAT_PATH, body);

    expect(await used()).toBeLessThanOrEqual(LIMIT);
  });

  it.each(Object.entries(places()))('is charged for %s where the model server tells no usage', async (_name, body) => {
    await setQuota(gateway, { enforcing: true, user_tokens: 1_000_000 }, user.tenantId);
    gateway.backend.answer(completion('Hello.', { usage: undefined }));

    const { status } = await post(CHAT_PATH, body);

    expect(status).toBe(200);
    expect(await used()).toBeGreaterThan(50_000);
    expect(await used()).toBeLessThan(120_000);
  });

  it('is not overspent by 400 short calls at once, and used up by them', async () => {
    const body = { messages: [userMessage('Hi')], max_tokens: 60 };

    const answers = await Promise.all(Array.from({ length: 400 }, () => post(CHAT_PATH, body)));
    const tokens = await used();

    expect(tokens).toBeLessThanOrEqual(LIMIT);
    expect(tokens).toBeGreaterThan(LIMIT / 4);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  async function addLimitedUser(): Promise<void> {
    user = await addSignedInUser(gateway.platform, await addTenant(gateway.platform));
    await setQuota(gateway, { enforcing: true, user_tokens: LIMIT }, user.tenantId);
  }

  function post(path: string, body: object): Promise<RestAnswer> {
    return gateway.post(path, { model: 'scripted', ...body }, { token: user.token });
  }

  async function used(): Promise<number> {
    return (await usedOf({ platform: gateway.platform, token: user.token })).tokens;
  }
});

/** Requests for long answers that say that they are for short ones. */
function attacks(): Record<string, [path: string, body: object]> {
  const { messages } = CHAT;
  return {
    'a bound that another engine reads': [CHAT_PATH, { messages, max_tokens: 1, n_predict: 50_000 }],
    'a nested bound': [CHAT_PATH, { messages, max_tokens: 1, options: { num_predict: 50_000 } }],
    'a bound as a text': [CHAT_PATH, { messages, max_tokens: 1, max_new_tokens: '50000' }],
    'a bound of none beside another': [CHAT_PATH, { messages, max_tokens: 1, n_predict: -1 }],
    'a bound of nothing': ['/v1/completions', { prompt: 'Hello', max_tokens: 0 }],
    'no bound at all': [CHAT_PATH, { messages }],
    'a least length': [CHAT_PATH, { messages, max_tokens: 1, min_tokens: 50_000 }],
    'a budget of thoughts': [CHAT_PATH, { messages, max_tokens: 1, thinking: { budget_tokens: 50_000 } }],
    'many answers': [CHAT_PATH, { messages, max_tokens: 1, num_return_sequences: 50_000 }],
    'a long response': ['/v1/responses', { input: 'Hello', max_output_tokens: 1, max_new_tokens: 50_000 }],
    'an unbounded response': ['/v1/responses', { input: 'Hello' }],
    '20,000 empty messages': [
      CHAT_PATH,
      { messages: Array(20_000).fill({ role: 'user', content: '' }), max_tokens: 1 },
    ],
  };
}

/** Bodies with about 60,000 tokens in places of all kinds. */
function places(): Record<string, object> {
  const long = 'All work and no play makes Jack a dull boy. '.repeat(6_800);
  return {
    'a name': ofMessage({ name: long }),
    thoughts: ofMessage({ reasoning: long }),
    'a refusal': ofMessage({ refusal: long }),
    'the id of a call': ofMessage({ role: 'tool', tool_call_id: long }),
    'a call of a tool': ofMessage({ tool_calls: [{ id: long }] }),
    'an unknown part': ofMessage({ content: [{ type: 'other', other: { deep: [long] } }] }),
    'the type of a part': ofMessage({ content: [{ type: long }] }),
    'a file': ofMessage({ content: [{ type: 'file', file: { file_data: long } }] }),
    'what is no image': ofMessage({
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${long}` } }],
    }),
    'the detail of an image': ofMessage({ content: [{ type: 'image_url', image_url: { url: IMAGE, detail: long } }] }),
    'what is no sound': ofMessage({ content: [{ type: 'input_audio', input_audio: { data: long, format: 'wav' } }] }),
    'a grammar': ofBody({ grammar: long }),
    'a guided schema': ofBody({ guided_json: { description: long } }),
    'texts that end it': ofBody({ stop: [long] }),
    'a prediction': ofBody({ prediction: { type: 'content', content: long } }),
    'a form': ofBody({ response_format: { type: 'other', other: long } }),
    'a user': ofBody({ user: long }),
    'the options of a stream': ofBody({ stream_options: { other: long } }),
    'any other field': ofBody({ other: long }),
    'the name of a field': ofBody({ [long]: true }),
    'a field like a prototype': ofBody(JSON.parse(`{"__proto__":{"other":${JSON.stringify(long)}}}`) as object),
    'a field like a constructor': ofBody({ constructor: long }),
  };
}

function ofMessage(members: object): object {
  return { messages: [{ ...CHAT.messages[0], ...members }], max_tokens: 1 };
}

function ofBody(members: object): object {
  return { messages: CHAT.messages, max_tokens: 1, ...members };
}
