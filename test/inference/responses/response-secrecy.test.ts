import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, RESP_TYPES } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '../../support/gateway.js';
import type { Gateway } from '../../support/gateway.js';
import { startPlatform } from '../../support/platform.js';
import type { RestAnswer } from '../../support/platform.js';
import { completeEvents, namedEventsOf, response } from '../../support/response-streams.js';
import { startScriptedBackend, stream } from '../../support/scripted-backend.js';

const REDIS_URL = process.env.TEST_REDIS_URL;
const SECRETS = ['prompt-7733', 'answer-9411'];

/** How the whole of a key is read, by its type. */
const READ_ALL: Record<string, (key: string) => string[]> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1'],
  list: (key) => ['LRANGE', key, '0', '-1'],
};

describe.each(REDIS_URL ? ['memory', 'Redis'] : ['memory'])('the contexts of responses in %s', (kind) => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ env: { REDIS_URL: kind === 'Redis' ? (REDIS_URL ?? '') : '' } });
  });
  afterAll(() => gateway.close());

  it('leave prompts, answers and ids nowhere in clear', async () => {
    gateway.backend.answer(response('answer-9411'), response('answer-9411'), stream(...completeEvents('answer-9411')));

    const first = await respond('', { instructions: 'prompt-7733' });
    const second = await respond(`/${first.body.id}/continue`, {});
    const third = await respond(`/${second.body.id}/continue`, { stream: true });
    await respond(`/${second.body.id}/continue`, { temperature: 9 });

    const places: Buffer[] = [Buffer.from(gateway.platform.logLines.join('\n'))];
    if (!gateway.platform.config.databaseUrl) places.push(contentsOf(gateway.platform.config.dataDir));
    if (kind === 'Redis') places.push(await redisDump(REDIS_URL ?? ''));
    const ids = [first.body.id, second.body.id, namedEventsOf(third.body).at(-1).response.id] as string[];
    for (const place of places) {
      expect([...SECRETS, ...ids].filter((secret) => place.includes(secret.replace('resp_', '')))).toEqual([]);
    }
  });

  (kind === 'Redis' ? it : it.skip)('are there after a restart, for whichever process serves next', async () => {
    gateway.backend.answer(response('One.'), response('Two.'));
    const first = await respond('', {});

    await gateway.platform.restart();
    const second = await respond(`/${first.body.id}/continue`, {});

    expect([second.status, second.body.previous_response_id]).toEqual([200, first.body.id]);
    expect(gateway.backend.requests.at(-1)?.body.input).toHaveLength(3);
  });

  function respond(path: string, body: object): Promise<RestAnswer> {
    return gateway.post(`/v1/responses${path}`, { model: 'scripted', input: 'prompt-7733', ...body });
  }
});

describe('without its Redis', () => {
  it('the server starts and answers, and a continue is 503 in bounded time', async () => {
    const backend = await startScriptedBackend();
    const platform = await startPlatform({ OPENAI_BASE_URL: backend.url, REDIS_URL: 'redis://127.0.0.1:1' });
    const { access_token: token } = await platform.login();
    const respond = (path: string) =>
      platform.request('POST', `/v1/responses${path}`, { token, body: { model: 'scripted', input: 'x' } });
    backend.answer(response('One.'));

    const first = await respond('');
    const startedAt = performance.now();
    const second = await respond(`/${first.body.id}/continue`);
    const milliseconds = performance.now() - startedAt;
    const health = await platform.request('GET', '/health');
    await platform.close();
    await backend.close();

    expect(first.status).toBe(200);
    expect([second.status, second.body.error.code]).toEqual([503, 'unavailable']);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(milliseconds).toBeLessThan(4_000);
    expect(health.body).toMatchObject({ status: 'degraded', checks: { cache: 'down' } });
  });
});

/** Everything that Redis holds, as bytes; other tests write to it meanwhile. */
async function redisDump(url: string): Promise<Buffer> {
  const client = createClient({ url, commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } });
  await client.connect();
  const keys = (await client.keys('*')).map(String);
  const values = keys.map(async (key) => {
    const type = await client.type(key);
    // What has expired since has no type.
    if (String(type) === 'none') return [];
    const read = READ_ALL[String(type)];
    if (!read) throw new Error(`${key} is a ${String(type)}, which this test cannot read.`);
    return client.sendCommand<unknown>(read(key));
  });
  const dump = bytesOf([keys, await Promise.all(values)]);
  client.destroy();
  return dump;
}

/** All that an answer of Redis has in it: texts, lists, and names with their values. */
function bytesOf(answer: unknown): Buffer {
  if (Buffer.isBuffer(answer)) return answer;
  if (typeof answer !== 'object' || answer === null) return Buffer.from(String(answer ?? ''));
  return Buffer.concat((Array.isArray(answer) ? answer : Object.entries(answer).flat()).map(bytesOf));
}

function contentsOf(folder: string): Buffer {
  const files = globSync('**', { cwd: folder }).map((file) => join(folder, file));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}
