import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { MAX_PIPELINED } from '../../src/http/connections.js';
import { endSocket } from '../../src/http/end-socket.js';
import { eventually } from '../support/probes/eventually.js';
import { openRaw, rawGet, readAnswer } from '../support/probes/raw-client.js';
import { SlowReader } from '../support/probes/slow-reader.js';
import { TestHttpServer } from '../support/servers/test-http-server.js';
import { TLS_ENV } from '../support/servers/tls.js';

const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');
const STALL_MS = 1_500;
/** Ends the answers of `/slow`, each by its path. */
const endings = new Map<string, () => void>();

describe.each([
  ['plain', {}, 300],
  ['TLS', TLS_ENV, 50],
])('a %s connection', (kind, env, count) => {
  it.concurrent.each(attackers())('is destroyed where its client %s', async (_what, speak) => {
    await using server = await start();
    await openAndSay(server, count, (socket) => {
      // It reads, and ends nothing by itself.
      socket.resume();
      speak(socket);
    });

    await untilNoneIsOpen(server);

    expect(await server.countOpen()).toBe(0);
  });

  it.concurrent('is destroyed where its client never reads a large answer', async () => {
    await using server = await start();
    await openAndSay(server, 5, (socket) => socket.pause().write(rawGet('/large')));
    await openAndSay(server, 5, (socket) => socket.pause().end(rawGet('/large')));

    await untilNoneIsOpen(server);

    expect(await server.countOpen()).toBe(0);
  });

  it.concurrent('is destroyed where its client pipelines thousands', async () => {
    await using server = await start();
    await openAndSay(server, 3, (socket) => socket.resume().write(rawGet('/late').repeat(20 * MAX_PIPELINED)));

    await untilNoneIsOpen(server);

    expect(await server.countOpen()).toBe(0);
  });

  it.concurrent('lives while its client reads slowly', async () => {
    await using looked = await TestHttpServer.start(listener, env, unlookedAt());
    const accepted = looked.accepted();
    const socket = await looked.open();
    const reader = new SlowReader(socket.pause(), await accepted);
    socket.write(rawGet('/large'));
    await reader.untilSomethingIsTaken();

    // Each time nearly as long as it would be too long, and then a part of the answer.
    for (let now = 0; now < 3 * STALL_MS; now += 0.9 * STALL_MS) {
      looked.look(now);
      await reader.readUntilMoreIsTaken();
      looked.look(now);
    }
    const openThen = await looked.countOpen();

    expect(reader.bytes).toBeLessThan(LARGE.length);
    expect(openThen).toBe(1);
  });

  it.concurrent('lives while an answer that has begun is silent', async () => {
    await using looked = await TestHttpServer.start(listener, env, unlookedAt());
    const socket = await looked.open();

    socket.write(rawGet('/silent'));
    await once(socket, 'data');
    for (let now = 0; now < 3 * STALL_MS; now += 100) looked.look(now);
    const openThen = await looked.countOpen();

    expect(openThen).toBe(1);
    expect(socket.readableEnded).toBe(false);
  });

  it.concurrent('gives the answers that it can give to one who asks for too much at once', async () => {
    await using server = await startPatient();
    const socket = await server.open();
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));

    socket.write(rawGet('/ok').repeat(MAX_PIPELINED + 50));
    await once(socket, 'end');

    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(MAX_PIPELINED);
    expect(text).toMatch(/HTTP\/1\.1 400 [^]*"At most 100 requests may wait on a connection\."/);
  });

  it.concurrent('never has a refusal in the middle of an answer', async () => {
    await using server = await startPatient({ headersTimeout: 2_000 });
    const socket = await server.open();
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));

    socket.write(rawGet(`/slow-${kind}`));
    await once(socket, 'data');
    const refused = once(server.http.server, 'clientError');
    socket.write('GET /ok HTTP/1.1\r\nx');
    await refused;
    endings.get(`/slow-${kind}`)?.();
    await once(socket, 'end');

    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).toMatch(/begun[^]*ended/);
  });

  it.concurrent.each([
    ['a request', rawGet('/ok'), 1],
    ['several requests', rawGet('/ok').repeat(5), 5],
    ['a request with a body', 'POST /ok HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}', 1],
  ])('answers %s before it ends for what follows and is none', async (_what, requests, answers) => {
    await using server = await startPatient();
    const socket = await server.open();
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));

    socket.write(`${requests}GARBAGE\r\n\r\n`);
    await once(socket, 'end');

    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(answers);
    expect(text).not.toContain('400');
  });

  it.concurrent('refuses a body that is none in place of its answer', async () => {
    await using server = await startPatient();
    const socket = await server.open();

    socket.write('POST /ok HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nGARBAGE\r\n');
    const { status } = await readAnswer(socket);

    expect(status).toBe(400);
  });

  function start(): Promise<TestHttpServer> {
    return TestHttpServer.start(listener, env, patience());
  }

  /** The cases beside one may keep its client from speaking for longer than an attacker may be silent. */
  function startPatient({ headersTimeout } = { headersTimeout: 60_000 }): Promise<TestHttpServer> {
    return TestHttpServer.start(listener, env, { ...patience(), headersTimeout, requestTimeout: 60_000 });
  }

  async function openAndSay(server: TestHttpServer, length: number, speak: (socket: Socket) => void): Promise<void> {
    const opened = await Promise.all(Array.from({ length }, () => server.open()));
    for (const socket of opened) speak(socket);
  }

  async function untilNoneIsOpen(server: TestHttpServer): Promise<void> {
    await eventually('no connection is open', 25, async () => (await server.countOpen()) === 0);
  }

  function attackers(): [string, (socket: Socket) => void][] {
    return [
      ['never says anything', () => undefined],
      ['stops in the middle of a head', (socket) => socket.write('GET /ok HTTP/1.1\r\nhost: a\r\nx: ')],
      [
        'stops in the middle of a body',
        (socket) => socket.write('POST /ok HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx'),
      ],
      ['sends what is no HTTP, and never ends', (socket) => socket.write('GARBAGE\r\n\r\n')],
      [
        'sends a head that is too large, and never ends',
        (socket) => socket.write(`${rawGet('/ok').trim()}\r\nx: ${'y'.repeat(99_999)}`),
      ],
      ['asks for its end, and never ends', (socket) => socket.write(rawGet('/close'))],
      ['keeps a connection that nobody needs', (socket) => socket.write(rawGet('/ok'))],
      ['asks for an upgrade that there is not', (socket) => socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n')],
      ['ends its half before it is answered', (socket) => socket.end(rawGet('/late'))],
      ['ends its half while it is answered', (socket) => socket.end(rawGet('/silent'))],
    ];
  }
});

describe('a TLS handshake', () => {
  it.concurrent.each<[string, (socket: Socket) => void]>([
    ['is never begun', () => undefined],
    ['never ends', (socket: Socket) => void socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]))],
    ['is no handshake', (socket: Socket) => void socket.write(rawGet('/ok'))],
    [
      'comes a byte at a time',
      (socket: Socket) => {
        const hello = Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Array<number>(200).fill(0)]);
        let at = 0;
        const timer = setInterval(() => socket.write(hello.subarray(at, (at += 1))), 100);
        socket.once('close', () => clearInterval(timer));
      },
    ],
  ])('that %s is given up', async (_what, speak) => {
    await using server = await TestHttpServer.start(listener, TLS_ENV, { ...patience(), handshakeTimeout: 500 });
    const sockets = await server.openRaw(50);
    const ended = sockets.map(
      (socket) => new Promise((resolve) => socket.resume().once('end', resolve).once('close', resolve)),
    );

    for (const socket of sockets) speak(socket);
    await Promise.all(ended);
    const open = await server.countOpen();

    expect(open).toBe(0);
  });
});

describe('a server that stops', () => {
  it('waits for no handshake', async () => {
    const { http, url } = await TestHttpServer.start(listener, TLS_ENV);
    const socket = await openRaw(url);
    const ended = once(socket.resume(), 'end');

    await http.close();
    await ended;
    socket.destroy();

    expect(http.server.listening).toBe(false);
  });
});

describe('the end of a connection', () => {
  it('leaves no timer and no listener behind', async () => {
    const server = await TestHttpServer.start(listener, {}, patience());
    const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const accepted = server.accepted();
    const client = await server.open();
    const socket = await accepted;

    endSocket(socket, 'bye');
    endSocket(socket, 'bye again');
    client.end();
    const [text] = (await once(client, 'data')) as [Buffer];
    if (!socket.closed) await once(socket, 'close');
    const timersAfter = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await server.close();

    expect(String(text)).toBe('bye');
    expect(timersAfter).toBeLessThanOrEqual(timersBefore);
    expect(server.http.server.address() as AddressInfo | null).toBeNull();
  });

  it('keeps no listener on a connection that serves many requests', async () => {
    const server = await TestHttpServer.start(listener, {}, patience());
    const accepted = server.accepted();
    const client = await server.open();
    const socket = await accepted;
    const countListeners = () => socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0);

    client.write(rawGet('/ok'));
    await readAnswer(client);
    const before = countListeners();
    for (let request = 0; request < 50; request += 1) {
      client.write(rawGet('/ok'));
      await readAnswer(client);
    }
    const after = countListeners();
    await server.close();

    expect(after).toBe(before);
  });
});

/**
 * `/large` answers more than any buffer holds, `/silent` begins an answer and says no more, `/slow…` one that
 * `endings` end, `/late` never answers.
 */
function listener(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/large') response.end(LARGE);
  else if (request.url === '/silent') response.writeHead(200).write('begun');
  else if (request.url?.startsWith('/slow')) {
    response.writeHead(200).write('begun');
    endings.set(request.url, () => response.end('ended'));
  } else if (request.url === '/close') response.writeHead(200, { connection: 'close', 'content-length': 2 }).end('ok');
  else if (request.url !== '/late') request.on('end', () => response.end('ok')).resume();
}

/** Everything that takes half a minute takes half a second here. */
function patience() {
  return {
    requestTimeout: 1_000,
    headersTimeout: 500,
    connectionsCheckingInterval: 100,
    keepAliveTimeout: 500,
    limits: { end: 200, stall: STALL_MS, check: 100 },
  };
}

/** For connections that are looked at by the test alone, however long a busy machine takes for that. */
function unlookedAt() {
  const limits = { end: 200, stall: STALL_MS, check: 3_600_000 };
  return { ...patience(), requestTimeout: 60_000, headersTimeout: 60_000, limits };
}
