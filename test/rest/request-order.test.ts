import { beforeAll, describe, expect, it } from '@jest/globals';
import { openRaw, readAnswer } from '../support/probes/raw-client.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('what a request is refused for comes in one order', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '1' });
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('the path and the method before anything else', async () => {
    const broken = { authorization: 'Bearer nonsense', 'x-byok-api-key': 'short', 'content-encoding': 'gzip' };

    const path = await statusBeforeBody('/v1/nothing', broken);
    const method = await statusBeforeBody('/v1/models', broken);

    expect([path, method]).toEqual([404, 405]);
  });

  it('the caller before limits and body, and limits before the body', async () => {
    const chat = '/v1/chat/completions';
    const huge = 100 * 1024 * 1024;

    const nobody = await statusBeforeBody(chat, { 'content-encoding': 'gzip' }, huge);
    const first = await statusBeforeBody(chat, asUser(), huge);
    const second = await statusBeforeBody(chat, asUser(), huge);

    expect([nobody, first, second]).toEqual([401, 413, 429]);
  });

  it('the right to call before limits', async () => {
    const chat = '/v1/chat/completions';
    const body = { name: 'reads models', scopes: ['models:read'] };
    const { body: created } = await platform.request('POST', '/v1/api-tokens', { token, body });
    const asReader = { authorization: `Bearer ${created.token}` };

    const statuses = [await statusBeforeBody(chat, asReader), await statusBeforeBody(chat, asReader)];

    expect(statuses).toEqual([403, 403]);
  });

  it('the size of a public body before what is in it', async () => {
    const small = await statusBeforeBody('/v1/auth/login', {}, 65 * 1024);
    const wrong = await platform.request('POST', '/v1/auth/login', { body: '{' });

    expect([small, wrong.status]).toEqual([413, 400]);
  });

  /** The status that comes while not a byte of the body has been sent. */
  async function statusBeforeBody(path: string, headers: Readonly<Record<string, string>>, bytes = 9): Promise<number> {
    const socket = await openRaw(platform.url);
    const lines = Object.entries({ host: 'a', 'content-type': 'application/json', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST ${path} HTTP/1.1\r\n${head}content-length: ${bytes}\r\n\r\n`);
    const { status } = await readAnswer(socket);
    socket.destroy();
    return status;
  }

  function asUser() {
    return { authorization: `Bearer ${token}` };
  }
});
