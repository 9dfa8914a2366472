import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/probes/eventually.js';
import { CHAT } from '../../../support/builders/chat-request.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import { usedOf } from '../../../support/builders/quota.js';
import { chunk, completion, DONE, event, json, stream, usageChunk } from '../../../support/servers/scripted-backend.js';
import type { Script } from '../../../support/servers/scripted-backend.js';

const DEEP = 50_000;
const RESPONSE = { model: 'scripted', input: 'Hi' };

describe('an answer that cannot be trusted', () => {
  let gateway: Gateway;
  let chatOnly: Gateway;

  beforeAll(async () => {
    [gateway, chatOnly] = [await startGateway(), await startGateway({ backends: [{ supports: ['chat'] }] })];
  });
  afterAll(() => Promise.all([gateway.close(), chatOnly.close()]));
  afterEach(() => [gateway, chatOnly].forEach(({ backend }) => backend.reset()));

  it.each([
    ['chat', '/v1/chat/completions', CHAT, { choices: [] }],
    ['completions', '/v1/completions', { model: 'scripted', prompt: 'Hi' }, { choices: [] }],
    ['responses', '/v1/responses', RESPONSE, { output: [] }],
    ['embeddings', '/v1/embeddings', RESPONSE, { data: [{ index: 0, embedding: [1] }] }],
  ])('is 502 and costs nothing where it is nested too deeply: %s', async (_operation, path, body, members) => {
    const before = await used();
    gateway.backend.answer(deepAnswer(members));

    const answer = await gateway.post(path, body);

    expect([answer.status, answer.body.error.code]).toEqual([502, 'bad_upstream']);
    expect(await used()).toBe(before);
  });

  it('is 502 where it is nested too deeply on the way from chat to a response', async () => {
    chatOnly.backend.answer(deepAnswer({ choices: [{ message: { content: 'a' } }] }));

    const answer = await chatOnly.respond();

    expect([answer.status, answer.body.error.code]).toEqual([502, 'bad_upstream']);
  });

  it.each([
    ['choices', '/v1/chat/completions', CHAT, `{"choices":${parts(600_001)}}`],
    ['members', '/v1/chat/completions', CHAT, `{"choices":[],${'"a":1,'.repeat(600_001)}"b":1}`],
    ['numbers', '/v1/responses', RESPONSE, `{"output":${parts(2_000_002, '1')}}`],
    ['vectors', '/v1/embeddings', RESPONSE, `{"data":${parts(20_001)}}`],
  ])('is 502 and costs nothing where it has too many %s', async (_what, path, body, text) => {
    const before = await used();
    gateway.backend.answer({ pieces: [text] });

    const answer = await gateway.post(path, body);

    expect([answer.status, answer.body.error.code]).toEqual([502, 'bad_upstream']);
    expect(answer.body.error.message).toBe('The answer of the model server has too many parts.');
    expect(await used()).toBe(before);
  });

  it('may have the log probabilities of a long text', async () => {
    const logprob = '{"token":"a","logprob":-1,"bytes":[97],"top_logprobs":[]}';
    const choice = `{"index":0,"message":{"content":"a"},"logprobs":{"content":${parts(20_000, logprob)}}}`;
    gateway.backend.answer({ pieces: [`{"choices":[${choice}]}`] });

    const { body } = await gateway.chat();

    expect(body.choices[0].logprobs.content).toHaveLength(20_000);
  });

  it('may have a whole batch of long vectors', async () => {
    const inputs = 256;
    const vectors = Array.from(
      { length: inputs },
      (_value, index) => `{"object":"embedding","index":${index},"embedding":${parts(8_192, '0.5')}}`,
    );
    gateway.backend.answer({ pieces: [`{"data":[${vectors.join(',')}],"usage":{"prompt_tokens":1}}`] });
    const input = Array.from({ length: inputs }, () => 'a');

    const { status, body } = await gateway.post('/v1/embeddings', { model: 'scripted', input });

    expect([status, body.data.length, body.data[inputs - 1].embedding.length]).toEqual([200, inputs, 8_192]);
  });

  it('ends in an error event where an event that is read has too many parts', async () => {
    const many = `{"choices":[],"error":null,"usage":{},"more":${parts(30_000)}}`;
    chatOnly.backend.answer(stream(chunk({ content: 'a' }), `data: ${many}\n\n`, DONE));
    const large = `{"type":"response.completed","response":{"output":${parts(200_001)}}}`;
    gateway.backend.answer(stream(`event: response.completed\ndata: ${large}\n\n`));

    const translated = await chatOnly.respond({ stream: true });
    const own = await gateway.respond({ stream: true });

    for (const { body } of [translated, own]) expect(JSON.stringify(body)).toContain('bad_upstream');
  });

  it('may be nested up to 64 levels', async () => {
    gateway.backend.answer({ pieces: [deep({ choices: [] }, 63)] });

    expect((await gateway.chat()).status).toBe(200);
  });

  it('ends in an error event where an event that is read is nested too deeply', async () => {
    const first = chunk({ content: 'a' }, null, { model: 'another name' });
    const bad = `data: ${deep({ choices: [] })}\n\n`;
    gateway.backend.answer(stream(first, bad, DONE));
    chatOnly.backend.answer(stream(first, bad, DONE));

    const chat = await gateway.chat({ stream: true });
    const response = await chatOnly.respond({ stream: true });

    for (const { status, body } of [chat, response]) {
      expect(status).toBe(200);
      expect(body).toContain('"code":"bad_upstream"');
      expect(body).not.toContain('[DONE]');
    }
    const last = event({ type: 'response.completed', response: {} }).replace('{}', `{"deep":${'['.repeat(DEEP)}`);
    gateway.backend.answer(stream(last.replace('}}\n\n', `${']'.repeat(DEEP)}}}\n\n`)));
    const own = await gateway.respond({ stream: true });
    expect(JSON.stringify(own.body)).toContain('bad_upstream');
  });

  it('is no list of models where it is nested too deeply', async () => {
    const lists = await startGateway({ backends: [{ models: undefined }] });
    lists.backend.models = { pieces: [deep({ data: [{ id: 'deep-model' }] })] };
    await untilListIsAskedFor(lists);

    const unknown = await lists.get('/v1/models/deep-model');
    const known = await lists.get('/v1/models/scripted');
    await lists.close();

    expect([unknown.status, known.status]).toEqual([404, 200]);
  });

  it('is no list of models where it has too many parts', async () => {
    const lists = await startGateway({ backends: [{ models: undefined }] });
    lists.backend.models = { pieces: [`{"data":[{"id":"one-of-many"},${'{},'.repeat(100_000)}{}]}`] };
    await untilListIsAskedFor(lists);

    const unknown = await lists.get('/v1/models/one-of-many');
    await lists.close();

    expect(unknown.status).toBe(404);
  });

  it('tells no message of an error that has too many parts', async () => {
    gateway.backend.answer({ status: 400, pieces: [`{"error":{"message":"Hidden."},"more":${parts(20_001)}}`] });

    const { body } = await gateway.chat();

    expect(JSON.stringify(body)).not.toContain('Hidden.');
  });

  it.each([
    ['one number', { prompt_tokens: 7, completion_tokens: 4_000_000_000, total_tokens: 4_000_000_007 }],
    ['the other', { prompt_tokens: 2_147_483_648, completion_tokens: 1 }],
    ['the sum', { prompt_tokens: 2_147_483_647, completion_tokens: 1 }],
  ])('tells no usage where %s is beyond 2^31 - 1', async (_what, usage) => {
    const before = await used();
    gateway.backend.answer(
      completion('Hello.', { usage }),
      stream(chunk({ content: 'Hello.' }), chunk({}, 'stop'), usageChunk(usage), DONE),
      json(200, { output: [], usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens } }),
      json(200, { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 4_000_000_000 } }),
    );

    const answers = [
      await gateway.chat(),
      await gateway.chat({ stream: true, stream_options: { include_usage: true } }),
      await gateway.respond(),
      await gateway.post('/v1/embeddings', RESPONSE),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/4000000000|214748364/);
    expect((await used()) - before).toBeLessThan(200);
  });

  it('tells the usage up to 2^31 - 1', async () => {
    const before = await used();
    gateway.backend.answer(completion('Hello.', { usage: { prompt_tokens: 7, completion_tokens: 2_147_483_640 } }));

    const { body } = await gateway.chat();

    expect(body.usage.total_tokens).toBe(2_147_483_647);
    expect((await used()) - before).toBe(2_147_483_647);
  });

  /** A list of models is asked for again after a second. */
  async function untilListIsAskedFor(lists: Gateway): Promise<void> {
    const before = lists.backend.lists;
    await eventually('the list is asked for', 20, async () => {
      await lists.get('/v1/models/unknown');
      return lists.backend.lists > before;
    });
  }

  async function used(): Promise<number> {
    return (await usedOf(gateway)).tokens;
  }
});

/** A JSON object with a member that is nested so deep that no recursion survives it. */
function deep(members: object, levels = DEEP): string {
  return `${JSON.stringify(members).slice(0, -1)},"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
}

function parts(count: number, part = '{}'): string {
  return `[${`${part},`.repeat(count - 1)}${part}]`;
}

function deepAnswer(members: object): Script {
  return { pieces: [deep(members)] };
}
