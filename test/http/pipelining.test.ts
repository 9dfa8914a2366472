import { pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_PIPELINED } from '../../src/http/connections.js';
import { openRaw, rawGet, readAnswer } from '../support/probes/raw-client.js';
import { TestHttpServer } from '../support/servers/test-http-server.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('requests that are pipelined', () => {
  let served: ServedRequests;
  let server: TestHttpServer;

  beforeEach(async () => {
    served = new ServedRequests();
    server = await TestHttpServer.start((request, response) => served.serve(request, response));
  });
  afterEach(() => server.close());

  it('are begun one at a time, and none while the answer before is not read', async () => {
    const attackers = await Promise.all(Array.from({ length: 20 }, () => server.open()));
    for (const socket of attackers) socket.pause().write(rawGet('/large').repeat(MAX_PIPELINED));
    await until(() => served.begun.length >= 20);

    const other = await server.open();
    other.write(rawGet('/echo'));
    const { status } = await readAnswer(other);

    expect(status).toBe(200);
    expect(served.most).toBeLessThanOrEqual(21);
    expect(served.begun.length).toBeLessThan((20 * MAX_PIPELINED) / 2);
  });

  it('let those of other connections come between', async () => {
    const attackers = await Promise.all(Array.from({ length: 50 }, () => server.open()));
    const other = await server.open();
    for (const socket of attackers) socket.resume().write(rawGet('/busy').repeat(MAX_PIPELINED));
    await until(() => served.begun.length >= 50);

    other.write(rawGet('/echo'));
    await readAnswer(other);

    expect(served.begun.length).toBeLessThan(10 * MAX_PIPELINED);
  });

  it('keep their order and their bodies, small and large', async () => {
    const socket = await server.open();
    const text = read(socket);
    const bodies = ['a', 'b'.repeat(300_000), '', 'c'.repeat(70_000), 'd'];

    socket.write(rawGet('/late') + bodies.map((body) => post('/echo', body)).join(''));
    await until(() => served.begun.length === 1);
    served.endLate();
    await until(() => text().endsWith('d;'));

    const answered = [...text().matchAll(/\r\n\r\n(.*?);/g)].map(([, body]) => body);
    expect(answered).toEqual(['late', ...bodies.map((body) => `/echo:${body}`)]);
    expect(served.most).toBe(1);
  });

  it('are told to send a body when it is their turn', async () => {
    const socket = await server.open();
    const text = read(socket);
    const [head = ''] = post('/echo', 'body', 'expect: 100-continue\r\n').split(/(?<=\r\n\r\n)/);

    socket.write(rawGet('/late') + head);
    await until(() => served.begun.length === 1);
    served.endLate();
    await until(() => text().includes('100 Continue'));
    socket.write('body');
    await until(() => text().includes('/echo:body;'));

    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  it('are not served where the client leaves before', async () => {
    const accepted = server.accepted();
    const socket = await server.open();
    const closed = once(await accepted, 'close');

    socket.write(rawGet('/late') + rawGet('/echo').repeat(5));
    await until(() => served.begun.length === 1);
    socket.destroy();
    await closed;
    for (let count = 0; count < 10; count += 1) await turn();

    expect(served.begun).toEqual(['/late']);
  });

  it('get an answer of HTTP where they ask for a web socket behind another request', async () => {
    const socket = await server.open();
    const text = read(socket);

    socket.write(`${rawGet('/late')}${rawGet('/graphql').trim()}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    await until(() => served.begun.length === 1);
    served.endLate();
    await until(() => text().includes('/graphql:;'));

    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(Array(2).fill('HTTP/1.1 200'));
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await turn();
  }

  function read(socket: Socket): () => string {
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    return () => text;
  }
});

describe('the platform', () => {
  const platform = usePlatform();

  it('answers what a signed-in client pipelines, in order', async () => {
    const { access_token: token } = await platform.login();
    const paths = ['/v1/models', '/openapi.json', '/v1/quota', '/.well-known/jwks.json', '/health'];
    const alone = await Promise.all(paths.map((path) => platform.request('GET', path, { token })));
    const socket = await openRaw(platform.url);
    let [text, begun, end] = ['', 0, ''];
    socket.on('data', (chunk) => {
      text += String(chunk);
      // Of what came last: all together are some twenty megabytes.
      const last = end + String(chunk);
      begun += last.split('HTTP/1.1 ').length - 1;
      end = last.slice(1 - 'HTTP/1.1 '.length);
    });

    const requests = Array.from({ length: 20 }, () => paths).flat();
    socket.write(
      requests.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`).join(''),
    );
    while (begun < requests.length) await once(socket, 'data');
    socket.destroy();

    expect(new Set(text.match(/HTTP\/1\.1 \d{3}/g))).toEqual(new Set(['HTTP/1.1 200']));
    const begins = text.split(/HTTP\/1\.1 200[^]*?\r\n\r\n/).slice(1, -1);
    const expected = requests.slice(0, -1).map((_, at) => JSON.stringify(alone[at % paths.length]?.body).slice(0, 20));
    expect(begins.map((body) => body.slice(0, 20))).toEqual(expected);
  });

  it('sends the description and the keys with their length, to HEAD without them', async () => {
    const paths = ['/openapi.json', '/.well-known/jwks.json'];

    const ask = (method: string) => Promise.all(paths.map((path) => fetch(platform.url + path, { method })));
    const gets = [...(await ask('GET')), ...(await ask('GET'))];
    const heads = await ask('HEAD');
    const bodies = await Promise.all(gets.map(async (answer) => Buffer.from(await answer.arrayBuffer())));

    const lengths = gets.map(({ headers }) => Number(headers.get('content-length')));
    expect(lengths).toEqual(bodies.map((body) => body.length));
    expect(bodies.slice(2)).toEqual(bodies.slice(0, 2));
    expect(heads.map(({ headers }) => Number(headers.get('content-length')))).toEqual(lengths.slice(0, 2));
    expect(heads.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'public, max-age=300']);
    expect(heads.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array(2).fill('application/json; charset=utf-8'),
    );
  });
});

function post(path: string, body: string, head = '') {
  return `POST ${path} HTTP/1.1\r\nhost: a\r\n${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** `/echo` answers its body, `/late` when it is let, `/large` a megabyte, `/busy` after some work. */
class ServedRequests {
  /** The paths of requests that were begun. */
  readonly begun: string[] = [];
  /** How many were answered at once, at most. */
  most = 0;
  /** Ends the answer of `/late`. */
  endLate = (): void => undefined;
  private open = 0;

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { url: path = '' } = request;
    this.begun.push(path);
    this.most = Math.max(this.most, (this.open += 1));
    response.once('close', () => (this.open -= 1));
    if (path === '/large') return void response.end('x'.repeat(1024 * 1024));
    if (path === '/late') return void (this.endLate = () => response.end('late;'));
    if (path === '/busy') pbkdf2Sync('work', 'salt', 1_000, 32, 'sha256');
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.once('end', () => response.end(`${path}:${body};`));
  }
}
