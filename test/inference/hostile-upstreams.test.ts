import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { startPlatform } from '../support/platform.js';
import type { Platform, RestAnswer } from '../support/platform.js';
import { repeatedly, startRawServer } from '../support/raw-server.js';
import type { RawScript, RawServer } from '../support/raw-server.js';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
const write =
  (text: string): RawScript =>
  (socket) =>
    void socket.write(text);

/** Ways in which a server never gives a whole answer. */
const SILENCES: [string, RawScript][] = [
  ['says nothing', () => undefined],
  ['sends half a head', write('HTTP/1.1 200 OK\r\ncontent-ty')],
  ['sends half a body', write(`${JSON_HEAD}content-length: 1000\r\n\r\n{"choices"`)],
  ['sends half a chunked body', write(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"cho`)],
  ['announces its answer for ever', (socket) => repeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  ['sends half an error', write('HTTP/1.1 500 No\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{')],
  ['sends one byte after another', (socket) => drip(socket)],
];
/** Ways in which it breaks the rules of HTTP, or the connection. */
const BREACHES: [string, RawScript][] = [
  ['resets the connection', (socket) => void socket.resetAndDestroy()],
  ['closes the connection', (socket) => void socket.end()],
  ['switches protocols', write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
  ['sends no HTTP', write('SSH-2.0-OpenSSH_9.2\r\n')],
  ['ends before its length', (socket) => void socket.end(`${JSON_HEAD}content-length: 1000\r\n\r\n{}`)],
  ['tells two lengths', write(`${JSON_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}}`)],
  ['sends a head without end', (socket) => repeatedly(socket, `x-a: ${'x'.repeat(1_000)}\r\n`, 1)],
];

function drip(socket: Socket): void {
  socket.write(`${JSON_HEAD}content-length: 100000\r\n\r\n`);
  repeatedly(socket, ' ');
}

describe('a model server that breaks the rules', () => {
  let server: RawServer;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    server = await startRawServer(() => undefined);
    platform = await startPlatform({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });
  afterEach(async () => {
    const { body } = await call('GET', '');
    for (const { id } of body.data) await call('DELETE', `/${id}`);
  });

  function call(method: string, path: string, body?: object): Promise<RestAnswer> {
    return platform.request(method, `/v1/admin/backends${path}`, { token, body });
  }
  async function add(members: object = {}): Promise<void> {
    const settings = { name: 'hostile', base_url: server.url, models: [{ id: 'hostile' }], timeout_seconds: 0.5 };
    expect((await call('POST', '', { ...settings, ...members })).status).toBe(201);
  }

  it.each(SILENCES)(
    'does not end the process where its probe %s',
    async (_what, script) => {
      server.answer(script);
      const seen = server.requests.length;

      await Promise.all([
        add({ name: 'a' }),
        add({ name: 'b', models: null, health_path: '/health' }),
        platform.request('GET', '/v1/models', { token }),
      ]);
      while (server.requests.length < seen + 2) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setTimeout(resolve, 6_000));

      const listed = await platform.request('GET', '/v1/backends', { token });
      const told = listed.body.data.filter(({ backend }: { backend: string }) => backend !== 'builtin');
      expect(told.map(({ healthy }: { healthy: boolean }) => healthy)).toEqual([false, false]);
    },
    20_000,
  );
});
