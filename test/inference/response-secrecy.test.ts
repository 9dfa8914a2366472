import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, RESP_TYPES } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/platform.js';
import type { Platform, RestAnswer } from '../support/platform.js';
import { completeEvents, namedEventsOf, response } from '../support/response-streams.js';
import { startScriptedBackend, stream } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

const REDIS_URL = process.env.TEST_REDIS_URL;
const SECRETS = ['prompt-7733', 'answer-9411'];

/** Everything that Redis holds, as bytes. */
async function redisDump(url: string): Promise<Buffer> {
  const client = createClient({ url, commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } });
  await client.connect();
  const keys = await client.keys('*');
  const values = await Promise.all(keys.map((key) => client.get(key)));
  client.destroy();
  return Buffer.concat([...keys, ...values].map((part) => Buffer.from(part ?? '')));
}

function contentsOf(folder: string): Buffer {
  const files = globSync('**', { cwd: folder }).map((file) => join(folder, file));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}

describe.each(REDIS_URL ? ['memory', 'Redis'] : ['memory'])('the contexts of responses in %s', (kind) => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({
      OPENAI_BASE_URL: backend.url,
      REDIS_URL: kind === 'Redis' ? (REDIS_URL ?? '') : '',
    });
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  function respond(path: string, body: object): Promise<RestAnswer> {
    return platform.request('POST', `/v1/responses${path}`, {
      token,
      body: { model: 'scripted', input: 'prompt-7733', ...body },
    });
  }

  it('leave prompts, answers and ids nowhere in clear', async () => {
    backend.answer(response('answer-9411'), response('answer-9411'), stream(...completeEvents('answer-9411')));

    const first = await respond('', { instructions: 'prompt-7733' });
    const second = await respond(`/${first.body.id}/continue`, {});
    const third = await respond(`/${second.body.id}/continue`, { stream: true });
    await respond(`/${second.body.id}/continue`, { temperature: 9 });

    const places: Buffer[] = [Buffer.from(platform.logLines.join('\n'))];
    if (!platform.config.databaseUrl) places.push(contentsOf(platform.config.dataDir));
    if (kind === 'Redis') places.push(await redisDump(REDIS_URL ?? ''));
    const ids = [first.body.id, second.body.id, namedEventsOf(third.body).at(-1).response.id] as string[];
    for (const place of places) {
      expect([...SECRETS, ...ids].filter((secret) => place.includes(secret.replace('resp_', '')))).toEqual([]);
    }
  });

  (kind === 'Redis' ? it : it.skip)('are there after a restart, for whichever process serves next', async () => {
    backend.answer(response('One.'), response('Two.'));
    const first = await respond('', {});

    await platform.restart();
    const second = await respond(`/${first.body.id}/continue`, {});

    expect([second.status, second.body.previous_response_id]).toEqual([200, first.body.id]);
    expect(backend.requests.at(-1)?.body.input).toHaveLength(3);
  });
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
