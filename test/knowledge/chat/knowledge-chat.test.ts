import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInUser } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { userMessage } from '../../support/builders/chat-request.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import {
  chunk,
  completion,
  DONE,
  event,
  heldUntil,
  json,
  stream,
  usageChunk,
  wholeStream,
} from '../../support/servers/scripted-backend.js';
import { eventsOf } from '../../support/probes/stream-probe.js';

const PATH = '/v1/knowledgebase/chat/completions';
const QUESTION = [userMessage('What do guests pay for lunch?')];
const LUNCH = 'Guests pay 7.20 euros.';
const TOO_LONG = "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.";

describe('chats with knowledge bases', () => {
  let gateway: Gateway;
  let base: KnowledgeProbe;
  let file: AnyJson;

  beforeAll(begin);
  afterAll(() => gateway.close());
  afterEach(() => gateway.backend.reset());

  it('are answered and cited without any model server', async () => {
    const { status, body } = await chat({ model: 'builtin-extractive' });

    expect(status).toBe(200);
    expect(body.object).toBe('chat.completion');
    expect(body.choices[0].message.content).toContain(`${LUNCH} [1]`);
    expect(body.citations).toContainEqual({
      index: 1,
      file_id: file.id,
      filename: 'handbook.md',
      page: null,
      chunk_id: expect.stringMatching(/^chk_/),
      quote: LUNCH,
    });
    expect(body.usage.total_tokens).toBeGreaterThan(0);
  });

  it('go on for an Idempotency-Key when their client leaves', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion(LUNCH)));
    const arrival = gateway.backend.nextRequest();
    const ask = (signal?: AbortSignal) => chat({}, gateway.token, { 'idempotency-key': 'a key of one chat' }, signal);
    const controller = new AbortController();
    ask(controller.signal).catch(() => undefined);
    await arrival;

    controller.abort();
    const retry = ask();
    gate.resolve();
    const { headers, body } = await retry;

    expect(headers.get('idempotency-replayed')).toBe('true');
    expect(body.choices[0].message.content).toContain(LUNCH);
    expect(gateway.received).toBe(1);
  });

  it('have one system message, with the passages and whatever else instructs the model', async () => {
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      ...QUESTION,
      { role: 'system', content: 'Be kind.' },
    ];

    await chat({ messages });
    await chat({ messages: messages.slice(1) });

    const [led, followed] = gateway.backend.requests.map(({ body }) => body.messages);
    expect([led, followed].map((sent) => sent.map(({ role }: AnyJson) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user'],
    ]);
    expect(led[0].content).toMatch(/^Be brief\.\n\n.*Guests pay.*\n\nBe kind\.$/s);
    expect(followed[0].content).toMatch(/Guests pay.*\n\nBe kind\.$/s);
  });

  it('are streamed, with the citations before the usage and the end', async () => {
    const { body } = await chat({ model: 'builtin-extractive', stream: true, stream_options: { include_usage: true } });

    const events = eventsOf(body) as AnyJson[];
    expect(body.endsWith(DONE)).toBe(true);
    expect(textOf(events)).toContain(`${LUNCH} [1]`);
    expect(events.at(-2)).toMatchObject({
      choices: [],
      citations: expect.arrayContaining([expect.objectContaining({ quote: LUNCH })]),
    });
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(events.filter(({ citations }) => citations)).toHaveLength(1);
  });

  it('give the model the passages as data, behind what the caller tells it, and nothing of how they were found', async () => {
    await chat({ messages: [{ role: 'system', content: 'Be brief.' }, ...QUESTION], top_k: 1, temperature: 0.5 });

    const [request] = gateway.backend.requests;
    const [system, user] = request?.body.messages ?? [];
    expect(user).toEqual(QUESTION[0]);
    expect(system.role).toBe('system');
    expect(system.content).toMatch(/^Be brief\.\n\nAnswer the last question from the numbered passages/);
    expect(system.content).toMatch(
      /<passage-[a-z]{12} n="1" from="handbook.md, Handbook, Lunch">\n[^]*7\.20 euros[^]*<\/passage-/,
    );
    expect(system.content).not.toContain('n="2"');
    expect(Object.keys(request?.body).sort()).toEqual(['messages', 'model', 'temperature']);
  });

  it('pass calls of tools and texts of several choices', async () => {
    const call = {
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":[1]}' } }],
    };
    const other = (delta: object) => event({ choices: [{ index: 1, delta, finish_reason: null }] });
    gateway.backend.answer(
      stream(
        chunk(call),
        other({ content: 'Guests pay 9 euros ' }),
        other({ content: '[1].' }),
        chunk({}, 'tool_calls'),
        usageChunk(),
        DONE,
      ),
    );

    const events = eventsOf((await chat({ stream: true, n: 2 })).body) as AnyJson[];

    expect(events.flatMap(({ choices }) => choices.flatMap(({ delta }: AnyJson) => delta.tool_calls ?? []))).toEqual(
      call.tool_calls,
    );
    expect(textOf(events, 1)).toBe('Guests pay 9 euros.');
  });

  it('have a follow-up made whole by the model, and look for that', async () => {
    gateway.backend.answer(completion('How many days of holidays do employees have a year?'), completion('Thirty.'));
    const messages = [
      userMessage('Tell me of lunch.'),
      { role: 'assistant', content: 'It is at noon.' },
      userMessage('And of the other thing?'),
    ];

    await chat({ messages, top_k: 1 });

    const [rewriting, answering] = gateway.backend.requests;
    expect(rewriting?.body.messages.at(-1).content).toBe(
      'User: Tell me of lunch.\n\nAssistant: It is at noon.\n\nUser: And of the other thing?',
    );
    expect(answering?.body.messages[0].content).toContain('thirty days of holidays');
    expect(answering?.body.messages.slice(1)).toEqual(messages);
  });

  it('get by with fewer passages where the model has no room for all, and cite those alone', async () => {
    const tooLong = json(400, { error: { message: 'too long', type: 'exceed_context_size_error', code: 400 } });
    gateway.backend.answer(
      tooLong,
      completion('Employees have thirty days of holidays a year [2]. Guests pay 7.20 euros [1].'),
    );
    gateway.backend.answer(tooLong, tooLong, stream(...wholeStream('Guests pay 7.20 euros [1].')));
    const messages = [userMessage('What do guests pay for lunch in the canteen at noon, and what of holidays?')];

    const whole = await chat({ messages });
    const streamed = await chat({ messages, stream: true });

    expect(whole.body.choices[0].message.content).toBe(
      'Employees have thirty days of holidays a year. Guests pay 7.20 euros [1].',
    );
    expect(textOf(eventsOf(streamed.body) as AnyJson[])).toBe('Guests pay 7.20 euros.');
    const counts = gateway.backend.requests.map(
      ({ body }) => body.messages[0].content.match(/<passage-/g)?.length ?? 0,
    );
    expect(counts).toEqual([3, 2, 3, 2, 1]);
  });

  it.each([
    ['at once, as vLLM does', json(400, { object: 'error', message: TOO_LONG, type: 'BadRequestError', code: 400 })],
    ['in a stream, as LM Studio does', stream(`event: error\n${event({ error: { message: TOO_LONG } })}`)],
  ])('get by with fewer passages where the model server refuses all of them %s', async (_how, refused) => {
    gateway.backend.answer(refused, stream(...wholeStream('Guests pay 7.20 euros [1].')));

    const { status, body } = await chat({ stream: true });

    expect(status).toBe(200);
    expect(textOf(eventsOf(body) as AnyJson[])).toContain('Guests pay 7.20 euros');
    expect(gateway.backend.requests).toHaveLength(2);
  });

  it('are answered all the same where nothing is found', async () => {
    const empty = await KnowledgeProbe.create(gateway.platform, gateway.token);
    gateway.backend.answer(completion('I do not know [1].'));

    const { body } = await chat({ knowledgebase_id: empty.id });

    expect(gateway.backend.requests[0]?.body.messages[0].content).toBe(
      'The knowledge bases have nothing about the last question.',
    );
    expect(body.choices[0].message.content).toBe('I do not know.');
    expect(body.citations).toEqual([]);
  });

  it.each([
    ['no base', { knowledgebase_id: undefined }, 400, 'knowledgebase_id'],
    ['both', { knowledgebase_ids: ['kb_01h45ytscbebyvny4gc8cr8ma2'] }, 400, 'knowledgebase_id'],
    ['no bases', { knowledgebase_id: null, knowledgebase_ids: [] }, 400, 'knowledgebase_ids'],
    ['too many passages', { top_k: 101 }, 400, 'top_k'],
    ['no messages', { messages: undefined }, 400, 'messages'],
    ['nobody who asks', { messages: [{ role: 'system', content: 'Be brief.' }] }, 400, 'messages'],
    ['a base that is none', { knowledgebase_id: 'kb_01h45ytscbebyvny4gc8cr8ma2' }, 404, undefined],
    ['a model that is none', { model: 'other' }, 404, undefined],
  ])('are refused before any model is asked: %s', async (_what, members, status, param) => {
    const answer = await chat(members);

    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect(gateway.received).toBe(0);
  });

  it('need both scopes, and a base that the caller may read', async () => {
    const other = await addSignedInUser(gateway.platform);
    const scopes = [['chat:write'], ['knowledge:read'], ['chat:write', 'knowledge:read']];
    const tokens = await Promise.all(
      scopes.map(async (given) => (await addApiToken(gateway.platform, gateway.token, given)).token),
    );

    const answers = await Promise.all(
      [...tokens, other.token].map((token) => chat({ model: 'builtin-extractive' }, token)),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 404]);
  });

  it('are GraphQL fields, too', async () => {
    const body = { model: 'builtin-extractive', knowledgebase_id: base.id, messages: QUESTION };
    const fields = 'citations { index fileId filename page chunkId quote }';
    const client = sseClient({ url: gateway.platform.url, token: gateway.token });

    const answer = await gateway.graphql(
      `mutation ($body: JSON!) { createKnowledgeChat(body: $body) { choices { message { content } } ${fields} } }`,
      { body },
    );
    const events: AnyJson[] = [];
    for await (const { data } of client.iterate({
      query: `subscription ($body: JSON!) { knowledgeChatStream(body: $body) { choices { delta { content } } ${fields} } }`,
      variables: { body },
    }))
      events.push((data as AnyJson).knowledgeChatStream);

    const { choices, citations } = answer.body.data.createKnowledgeChat;
    expect(choices[0].message.content).toContain(`${LUNCH} [1]`);
    expect(citations).toContainEqual(expect.objectContaining({ index: 1, fileId: file.id, quote: LUNCH }));
    expect(events.at(-1)?.citations).toEqual(citations);
    expect(events.slice(0, -1).map((given) => given.citations)).toEqual(events.slice(1).map(() => null));
  });

  it('leave nothing of what was said in the database', async () => {
    gateway.backend.answer(completion('An answer of zebras.'));

    await chat({ messages: [userMessage('Zebras at lunch?')] });

    const tables = await gateway.platform.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      expect([name, await gateway.platform.query(`SELECT FROM "${name}" t WHERE t::text ILIKE '%zebra%'`)]).toEqual([
        name,
        [],
      ]);
    }
  });

  async function begin(): Promise<void> {
    gateway = await startGateway();
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
    [file] = (await base.index({ 'handbook.md': HANDBOOK })) as [AnyJson];
  }

  function chat(members: object, token = gateway.token, headers = {}, signal?: AbortSignal) {
    const body = { model: 'scripted', knowledgebase_id: base.id, messages: QUESTION, ...members };
    return gateway.post(PATH, body, { token, headers, signal });
  }
});

/** The text of a choice of a stream. */
function textOf(events: readonly AnyJson[], index = 0): string {
  return events
    .flatMap(({ choices }) => (choices ?? []) as AnyJson[])
    .filter((choice) => choice.index === index)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}
