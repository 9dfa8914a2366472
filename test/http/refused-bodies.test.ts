import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError } from 'openai';
import { startPlatform } from '../support/servers/platform.js';
import { openRaw, readAnswer } from '../support/probes/raw-client.js';
import { usePlatform } from '../support/servers/use-servers.js';

const MEBIBYTE = 1024 * 1024;
const MORE_THAN_BUFFERS_HOLD = 6 * MEBIBYTE;

describe('a refusal that comes before its body', () => {
  const platform = usePlatform({ MAX_JSON_BYTES: String(2 * MEBIBYTE), RATE_LIMIT_REQUESTS_PER_MINUTE: '1000' });
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  describe.each(refusals())('of %s', (_what, refusal) => {
    const { path, status, bytes = MORE_THAN_BUFFERS_HOLD } = refusal;

    it('can be read with fetch, whose body has a length', async () => {
      const body = Buffer.alloc(bytes, ' ');

      const answers = await fourTimes(async () => {
        const response = await fetch(platform.url + path, { method: 'POST', headers: headersOf(refusal), body });
        return [response.status, typeof (await response.json())];
      });

      expect(answers).toEqual(Array(4).fill([status, 'object']));
    });

    it('can be read with fetch, whose body is a stream', async () => {
      const answers = await fourTimes(async () => {
        const init = { method: 'POST', headers: headersOf(refusal), body: streamOf(bytes), duplex: 'half' };
        const response = await fetch(platform.url + path, init as RequestInit);
        return [response.status, typeof (await response.json())];
      });

      expect(answers).toEqual(Array(4).fill([status, 'object']));
    });

    it.each(['with a length', 'in chunks'])('can be read with node:http, %s', async (form) => {
      const length: Record<string, string> = form === 'with a length' ? { 'content-length': String(bytes) } : {};

      const answers = await fourTimes(() => post(platform.url + path, { ...headersOf(refusal), ...length }, bytes));

      expect(answers).toEqual(Array(4).fill(status));
    });

    it('can be read by a client that writes all of it first', async () => {
      const socket = await openRaw(platform.url);
      const lines = Object.entries({ host: 'a', 'content-length': bytes, ...headersOf(refusal) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');

      socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`);
      await new Promise((resolve) => socket.write(Buffer.alloc(bytes, ' '), resolve));
      const answer = await readAnswer(socket);
      socket.destroy();

      expect(answer.status).toBe(status);
    });
  });

  it('can be read by the SDK, and a limit that is used up too', async () => {
    const limited = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '1' });
    const apiKey = (await limited.login()).access_token;
    const complete = async (key: string, url: string): Promise<unknown> => {
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'x'.repeat(MORE_THAN_BUFFERS_HOLD) }];
      const error = await client.chat.completions
        .create({ model: 'none', messages })
        .catch((thrown: unknown) => thrown);
      return error instanceof APIError ? error.status : error;
    };

    const tooLarge = await complete(token, platform.url);
    const nobody = await complete('nonsense', platform.url);
    await complete(apiKey, limited.url);
    const tooMany = await complete(apiKey, limited.url);
    await limited.close();

    expect([tooLarge, nobody, tooMany]).toEqual([413, 401, 429]);
  });

  it('says so in the log, also where the client leaves at once', async () => {
    const before = platform.logLines.length;

    await fetch(`${platform.url}/nothing`, { method: 'POST', body: Buffer.alloc(2 * MEBIBYTE) });
    // What the server does by itself may be told meanwhile, too.
    const told = (): string[] => platform.logLines.slice(before).filter((line) => line.includes('"msg":"request"'));
    await untilTrue(() => told().length > 0);

    expect(told().map((line) => JSON.parse(line).status)).toEqual([404]);
  });

  it('takes no more of a body than its bound', async () => {
    const socket = await openRaw(platform.url);
    const chunk = Buffer.alloc(MEBIBYTE, ' ');
    let sent = 0;

    socket.write('POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    while (sent < 1_000 && !socket.destroyed) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }

    // Beside the bound there are the buffers of two sockets.
    expect(sent).toBeLessThan(100);
  });

  it('comes in place of 100 Continue', async () => {
    const head = `host: a\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n`;
    const refused = await openRaw(platform.url);
    const served = await openRaw(platform.url);

    const told = once(served, 'data') as Promise<[Buffer]>;
    refused.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}content-length: 20000\r\n\r\n`);
    served.write(`POST /v1/auth/login HTTP/1.1\r\n${head}content-length: 2\r\n\r\n`);
    const refusal = await readAnswer(refused);
    const [goOn] = await told;
    served.write('{}');
    const answer = await readAnswer(served);
    if (!refused.readableEnded) await once(refused, 'end');
    refused.destroy();
    served.destroy();

    expect(refusal.status).toBe(401);
    expect(String(goOn)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(answer.status).toBe(400);
  });

  function headersOf({ known = false, headers }: Refusal) {
    return {
      'content-type': 'application/json',
      ...(known && { authorization: `Bearer ${token}` }),
      ...headers,
    };
  }
});

async function fourTimes<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < 4; round += 1) results.push(await work());
  return results;
}

function streamOf(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536).fill(32));
      left -= 65_536;
      if (left <= 0) controller.close();
    },
  });
}

function post(url: string, headers: Record<string, string>, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', reject);
    });
    request.once('error', reject);
    request.end(Buffer.alloc(bytes, ' '));
  });
}

async function untilTrue(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setImmediate(resolve));
}

interface Refusal {
  readonly path: string;
  readonly status: number;
  readonly bytes?: number;
  readonly known?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusals(): readonly [string, Refusal][] {
  return [
    ['a body over the limit', { path: '/v1/chat/completions', status: 413, known: true }],
    ['a body over the limit of GraphQL', { path: '/graphql', status: 413, known: true }],
    ['a large sign-in', { path: '/v1/auth/login', status: 413, bytes: 2 * MEBIBYTE }],
    ['nobody', { path: '/v1/chat/completions', status: 401, bytes: 2 * MEBIBYTE }],
    ['somebody without the right', { path: '/v1/auth/admin/none', status: 404, bytes: 2 * MEBIBYTE }],
    ['an unknown path', { path: '/nothing', status: 404, bytes: 2 * MEBIBYTE }],
    ['a wrong method', { path: '/health', status: 405, bytes: 2 * MEBIBYTE }],
    [
      'a wrong type',
      { path: '/v1/chat/completions', status: 415, known: true, headers: { 'content-type': 'text/plain' } },
    ],
    [
      'a compressed body',
      { path: '/v1/embeddings', status: 415, known: true, headers: { 'content-encoding': 'gzip' } },
    ],
  ];
}
