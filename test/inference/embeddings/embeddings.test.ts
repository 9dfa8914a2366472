import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CHAT } from '../../support/builders/chat-request.js';
import { openaiClient } from '../../support/builders/openai-client.js';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import type { Client, RestAnswer } from '../../support/servers/platform.js';
import { htmlPage, json, silence } from '../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../../support/servers/scripted-backend.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway, usePlatform } from '../../support/servers/use-servers.js';

describe('embeddings', () => {
  const gateway = useGateway();

  afterEach(() => {
    gateway.backend.reset();
    gateway.backend.byDefault = vectors;
  });

  it('answer what llama.cpp recorded, as base64 or as numbers', async () => {
    const recorded = JSON.parse(recordedBody('emb_b64').toString());
    const { embedding } = recorded.data[0];
    const dimensions = floatsOf(embedding).length;
    gateway.backend.answer(json(200, recorded), json(200, recorded));

    const base64 = await embed({ encoding_format: 'base64', dimensions });
    const numbers = await embed({ encoding_format: 'float' });

    expect(base64.body).toEqual({
      object: 'list',
      model: 'scripted',
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    expect(numbers.body.data[0].embedding).toEqual(floatsOf(embedding));
    expect(gateway.backend.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'scripted', input: 'x1', dimensions },
    });
  });

  it('are written as base64 of little-endian floats where the upstream writes numbers', async () => {
    gateway.backend.answer(json(200, { data: [{ embedding: [1, -0.5, 0.1] }] }));

    const { body } = await embed({ encoding_format: 'base64' });

    expect(body.data).toEqual([
      { index: 0, embedding: Buffer.from('0000803f000000bfcdcccc3d', 'hex').toString('base64') },
    ]);
    expect(body.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it('are asked for without a format, which strict servers refuse, whichever way the client wants them', async () => {
    gateway.backend.byDefault = (request) =>
      'encoding_format' in request.body ? json(422, { detail: 'Extra inputs are not permitted' }) : vectors(request);
    const client = openaiClient(gateway);

    const sdk = await client.embeddings.create({ model: 'scripted', input: ['x1', 'x2'] });
    const base64 = await embed({ encoding_format: 'base64' });

    expect(sdk.data.map(({ embedding }) => embedding)).toEqual([
      [1, 0.5],
      [2, 0.5],
    ]);
    expect(floatsOf(base64.body.data[0].embedding)).toEqual([1, 0.5]);
  });

  it('are asked in batches of 256, four at once, and come back in order with the usage of all', async () => {
    let running = 0;
    let most = 0;
    gateway.backend.byDefault = (request) => {
      const release = async function* () {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        yield* vectors(request).pieces as string[];
      };
      return { pieces: release() };
    };
    const input = Array.from({ length: 2_048 }, (_, index) => `x${index}`);

    const { status, body } = await embed({ input });

    expect(status).toBe(200);
    expect(gateway.backend.requests.map((request) => request.body.input.length)).toEqual(Array(8).fill(256));
    expect(most).toBeLessThanOrEqual(4);
    expect(
      body.data.map(({ index, embedding }: { index: number; embedding: number[] }) => [index, embedding[0]]),
    ).toEqual(input.map((_, index) => [index, index]));
    expect(body.usage).toEqual({ prompt_tokens: 2_048, total_tokens: 2_048 });
  });

  it('fail all together, and the other batches are given up', async () => {
    gateway.backend.answer(silence(), silence(), htmlPage(500));
    const first = gateway.backend.nextRequest();

    const answer = await embed({ input: Array.from({ length: 2_048 }, (_, index) => `x${index}`) });
    await (
      await first
    ).gone;

    expect([answer.status, answer.body.error.code]).toEqual([502, 'bad_upstream']);
    expect(gateway.backend.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['too few vectors', { data: [] }],
    [
      'an index twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    ['no vector', { data: [{ embedding: [1] }, { embedding: [null] }] }],
    ['no numbers', { data: [{ embedding: [] }, { embedding: [] }] }],
    ['half a number', { data: [{ embedding: 'AACA' }, { embedding: 'AACA' }] }],
    ['no list', { data: 'x' }],
  ])('are a bad upstream where it answers %s', async (_what, answer) => {
    gateway.backend.answer(json(200, answer));

    const { status, body } = await embed({ input: ['x1', 'x2'] });

    expect([status, body.error.code]).toEqual([502, 'bad_upstream']);
  });

  it.each([
    ['input', { input: undefined }],
    ['input', { input: '' }],
    ['input', { input: [] }],
    ['input[1]', { input: ['x1', ''] }],
    ['input[0]', { input: [[]] }],
    ['input', { input: ['x1', 2] }],
    ['input', { input: [1, 'x'] }],
    ['input', { input: Array(2_049).fill('x1') }],
    ['input[0]', { input: [-1] }],
    ['encoding_format', { encoding_format: 'hex' }],
    ['dimensions', { dimensions: 0 }],
  ])('are refused where %s is wrong', async (param, body) => {
    const answer = await embed(body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    expect(gateway.backend.requests).toHaveLength(0);
  });

  it('pass tokens on, however many there are', async () => {
    const input = Array.from({ length: 3_000 }, (_, index) => index);
    gateway.backend.answer(json(200, { data: [{ embedding: [1] }] }));

    const { status } = await embed({ input });

    expect(status).toBe(200);
    expect(gateway.backend.requests[0]?.body.input).toEqual(input);
  });

  it('are typed over GraphQL and metered as their own area', async () => {
    const query = `mutation ($body: JSON!) { createEmbeddings(body: $body) {
      object model data { index embedding } usage { promptTokens completionTokens totalTokens } raw
    } }`;
    const { body } = await gateway.graphql(query, { body: { model: 'scripted', input: ['x4', 'x5'] } });
    const [call] = await lastSettledCalls(gateway.platform);

    expect(body.data.createEmbeddings).toMatchObject({
      object: 'list',
      model: 'scripted',
      data: [
        { index: 0, embedding: [4, 0.5] },
        { index: 1, embedding: [5, 0.5] },
      ],
      usage: { promptTokens: 2, completionTokens: 0, totalTokens: 2 },
    });
    expect(call).toEqual({
      area: 'embeddings',
      prompt_tokens: 2,
      completion_tokens: 0,
      state: 'exact',
      outcome: 'completed',
    });
  });

  function embed(body: object): Promise<RestAnswer> {
    return gateway.post('/v1/embeddings', { model: 'scripted', input: 'x1', ...body });
  }
});

describe('the builtin embeddings', () => {
  const platform = usePlatform();
  let admin: Client;

  beforeAll(async () => {
    admin = platform.as((await platform.login()).access_token);
  });

  it('have length 1, are the same each time, and are nearer for texts that share words', async () => {
    const input = ['The office opens at nine.', 'When does the office open?', 'Bananas grow in warm countries.', '!!!'];

    const first = await vectorsOf(input);
    const again = await vectorsOf(input);

    expect(first.map((vector) => vector.length)).toEqual([384, 384, 384, 384]);
    for (const vector of first) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(again).toEqual(first);
    expect(dot(first[0], first[1])).toBeGreaterThan(dot(first[0], first[2]) + 0.1);
  });

  it.each([1, 64, 4_096])('have %d dimensions where these are asked for', async (dimensions) => {
    const [vector] = await vectorsOf('The office opens at nine.', { dimensions });

    expect(vector).toHaveLength(dimensions);
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
  });

  it('read tokens as the text that they stand for', async () => {
    expect(await vectorsOf([15_339, 1_917])).toEqual(await vectorsOf('hello world'));
    expect(await vectorsOf([[15_339, 1_917]])).toEqual(await vectorsOf(['hello world']));
  });

  it.each([
    ['dimensions', { dimensions: 4_097 }],
    ['input', { input: [999_999_999] }],
  ])('refuse %s that they cannot use', async (param, members) => {
    const body = { model: 'builtin-hash-embedding', input: 'x', ...members };
    const answer = await admin.post('/v1/embeddings', body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  it('do not chat, and the chat model does not embed', async () => {
    const chat = await admin.post('/v1/chat/completions', { ...CHAT, model: 'builtin-hash-embedding' });
    const embeddings = await admin.post('/v1/embeddings', { model: 'builtin-extractive', input: 'x' });

    for (const { status, body } of [chat, embeddings]) {
      expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', 'model']);
    }
  });

  async function vectorsOf(input: unknown, members: object = {}): Promise<number[][]> {
    const body = { model: 'builtin-hash-embedding', input, ...members };
    const answer = await admin.post('/v1/embeddings', body);
    expect(answer.status).toBe(200);
    return answer.body.data.map(({ embedding }: { embedding: number[] }) => embedding);
  }

  function dot(a: number[] = [], b: number[] = []): number {
    return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  }
});

/** One vector for each input, which tells the input's number; in an order of its own. */
function vectors({ body }: ReceivedRequest): Script {
  const inputs = Array.isArray(body.input) ? (body.input as string[]) : [body.input as string];
  const data = inputs.map((text, index) => ({ object: 'embedding', index, embedding: [Number(text.slice(1)), 0.5] }));
  return json(200, {
    object: 'list',
    model: 'upstream',
    data: data.reverse(),
    usage: { prompt_tokens: inputs.length },
  });
}

function floatsOf(base64: string): number[] {
  return [...new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)];
}
