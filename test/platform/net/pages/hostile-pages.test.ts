import { once } from 'node:events';
import { createServer } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../support/probes/eventually.js';
import { repeatedly, startRawServer } from '../../../support/servers/raw-server.js';
import type { RawScript } from '../../../support/servers/raw-server.js';
import { openFetcher, outcomeOf, redirectTo, WebSite } from '../../../support/servers/web-site.js';

const { signal } = new AbortController();
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
const ZEROS = Buffer.alloc(64 * 1024 * 1024);

describe('where nothing is connected to', () => {
  let inside: Listener;
  beforeAll(async () => void (inside = await listenInside()));
  afterAll(() => inside.close());

  test.each(refusedUrls())('%s, neither at once nor behind a redirect', async (given, reason) => {
    await using fetcher = openFetcher();
    const url = given.replace('PORT', String(inside.port));
    const site = await WebSite.start({ '/': redirectTo(url) });
    const robots = await WebSite.start({ '/robots.txt': redirectTo(url) });

    const outcomes = [
      await outcomeOf(fetcher.fetch(url, { signal })),
      await outcomeOf(fetcher.fetch(site.url('/'), { signal })),
      await outcomeOf(fetcher.fetch(robots.url('/'), { signal })),
    ];
    await Promise.all([site.close(), robots.close()]);

    expect(outcomes).toEqual([reason, reason, reason === 'invalid_url' ? 'robots' : reason]);
    expect(inside.connections).toBe(0);
  });

  test('ports of other services', async () => {
    await using fetcher = openFetcher({ egressPorts: undefined });
    const site = await WebSite.start({ '/': { body: 'a' } });
    await using narrow = openFetcher({ egressPorts: [[site.port + 1, 65_535]] });

    const outcomes = [
      await outcomeOf(fetcher.fetch('http://127.0.0.1:6379/', { signal })),
      await outcomeOf(fetcher.fetch('http://127.0.0.1:22/', { signal })),
      await outcomeOf(narrow.fetch(site.url('/'), { signal })),
    ];
    await site.close();

    expect([outcomes, site.requests]).toEqual([['blocked_address', 'blocked_address', 'blocked_address'], []]);
  });
});

describe('an answer that is a trap', () => {
  const traps: readonly (readonly [string, RawScript, unknown])[] = [
    ['a gzip bomb', whole('gzip', gzipSync(ZEROS)), 'too_large'],
    ['Brotli, which nobody asked for', whole('br', brotliCompressSync('<p>')), 'unsupported_encoding'],
    ['gzip within gzip', whole('gzip, gzip', gzipSync(gzipSync(ZEROS))), 'unsupported_encoding'],
    ['two lines of codings', whole('gzip\r\ncontent-encoding: br', Buffer.from('x')), 'unsupported_encoding'],
    ['a coding that is not read', whole('zstd', Buffer.from('x')), 'unsupported_encoding'],
    ['gzip that is none', whole('gzip', Buffer.from('<html>')), 'unsupported_encoding'],
    ['Brotli that is silent when its window is filled', filledWindow(), 'unsupported_encoding'],
    ['gzip that is cut', whole('gzip', gzipSync('x'.repeat(10_000)).subarray(0, 30)), 'unsupported_encoding'],
    [
      'broken gzip, and silence',
      (socket) => socket.write(`${HEAD}content-encoding: gzip\r\n\r\nxxxx`),
      'unsupported_encoding',
    ],
    ['gzip of nothing without end', endless('content-encoding: gzip\r\n', repeated(gzipSync(''))), 'too_large'],
    ['an endless page', endless('', Buffer.alloc(64 * 1024, 'x')), 'too_large'],
    [
      'a page that announces too much',
      (socket) => socket.write(`${HEAD}content-length: 99999999\r\n\r\n`),
      'too_large',
    ],
    ['an endless head', headOf(`x-header: ${'x'.repeat(1_000)}\r\n`, 1), 'too_large'],
    ['a large head', (socket) => socket.write(`${HEAD}x-header: ${'x'.repeat(17_000)}\r\n\r\n`), 'too_large'],
    ['a head by drips', headOf('x', 50), 'timeout'],
    ['a body by drips', drips, 'timeout'],
    ['announcements without end', (socket) => repeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n'), 'timeout'],
    ['silence', () => undefined, 'timeout'],
    ['a connection that ends', (socket) => socket.destroy(), 'unreachable'],
    ['a body that breaks off', (socket) => socket.end(`${HEAD}content-length: 100\r\n\r\nx`), 'unreachable'],
    ['no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'), 'unreachable'],
    [
      'another protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
      'unreachable',
    ],
    [
      'a circle',
      (socket) => socket.write('HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n'),
      'too_many_redirects',
    ],
    [
      'a redirect without end',
      (socket) => {
        socket.write('HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\n\r\n');
        repeatedly(socket, 'x', 5);
      },
      'blocked_address',
    ],
    [
      'a request to wait for ever',
      (socket) => socket.write('HTTP/1.1 503 Later\r\nretry-after: 99999999999\r\ncontent-length: 0\r\n\r\n'),
      ['http_error', 503],
    ],
    [
      'a request to come at once, for ever',
      (socket) => socket.write('HTTP/1.1 429 Now\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n'),
      ['http_error', 429],
    ],
  ];

  /** What is waited for, all at the same time: the deadline, or the end of a second connection that is kept. */
  const late = new Map<string, unknown>();
  beforeAll(async () => {
    const isSlow = (what: string, expected: unknown): boolean => expected === 'timeout' || TWO_KEPT.includes(what);
    const slow = traps.filter(([what, , expected]) => isSlow(what, expected));
    await Promise.all(slow.map(async ([what, script]) => late.set(what, await caught(script))));
  });

  test.each(traps)('%s', async (what, script, expected) => {
    const outcome = late.has(what) ? late.get(what) : await caught(script);

    expect(outcome).toEqual(expected);
  });

  test('a robots.txt by drips ends with the deadline of the page', async () => {
    await using fetcher = openFetcher();
    const server = await startRawServer((socket) => drips(socket, ''));

    const outcome = await outcomeOf(fetcher.fetch(`http://127.0.0.1:${server.port}/`, { signal, seconds: 0.5 }));
    await server.close();

    expect(outcome).toBe('timeout');
  });

  test('large pages of one owner wait for room, and come all', async () => {
    await using fetcher = openFetcher();
    const body = gzipSync(Buffer.alloc(4 * 1024 * 1024, 'x'));
    const site = await WebSite.start({ '/': { headers: { 'content-encoding': 'gzip' }, body } });

    const pages = await Promise.all(
      Array.from({ length: 5 }, () => fetcher.fetch(site.url('/'), { signal, owner: 'a' })),
    );
    await site.close();

    expect(pages.map((page) => page.body.length)).toEqual(Array(5).fill(4 * 1024 * 1024));
  });
});

/** Traps that are asked over two connections, which are kept for a while. */
const TWO_KEPT = ['a circle', 'a request to come at once, for ever'];

/** What becomes of a page that is a trap, when no connection is open any more but one that is kept. */
async function caught(script: RawScript): Promise<unknown> {
  await using fetcher = openFetcher();
  const server = await startRawServer((socket, request) => {
    if (request.startsWith('GET /robots.txt')) socket.end('HTTP/1.1 404 None\r\ncontent-length: 0\r\n\r\n');
    else script(socket, request);
  });
  const outcome = await outcomeOf(fetcher.fetch(`http://127.0.0.1:${server.port}/`, { signal, seconds: 2 }));
  await eventually('no connection is open but one that is kept', 10, () => server.open <= 1);
  await server.close();
  return outcome;
}

function whole(coding: string, body: Buffer): RawScript {
  return (socket) => {
    socket.write(`${HEAD}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.end(body);
  };
}

/** Some hundred bytes that a decoder would hold 16 MiB for, of which none goes out until the last byte comes. */
function filledWindow(): RawScript {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 };
  const body = brotliCompressSync(ZEROS, { params });
  return (socket) =>
    socket.write(Buffer.concat([Buffer.from(`${HEAD}content-encoding: br\r\n\r\n`), body.subarray(0, -1)]));
}

/** Goes on as long as somebody reads. */
function endless(headers: string, piece: Buffer): RawScript {
  return (socket) => {
    const go = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', go);
    socket.write(`${HEAD}${headers}\r\n`);
    go();
  };
}

/** A head that goes on and on. */
function headOf(piece: string, milliseconds: number): RawScript {
  return (socket) => {
    socket.write(HEAD);
    repeatedly(socket, piece, milliseconds);
  };
}

function drips(...[socket]: Parameters<RawScript>): void {
  socket.write(`${HEAD}content-length: 1000000\r\n\r\n`);
  repeatedly(socket, 'x', 50);
}

function repeated(piece: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: 3_000 }, () => piece));
}

interface Listener {
  readonly port: number;
  /** From any loopback address but the one that is allowed. */
  readonly connections: number;
  close(): void;
}

async function listenInside(): Promise<Listener> {
  let connections = 0;
  const server = createServer((socket) => {
    if (socket.localAddress !== '127.0.0.1') connections += 1;
    socket.destroy();
  }).listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    get connections() {
      return connections;
    },
    close: () => void server.close(),
  };
}

/** With the port of the listener for PORT, and why each is refused. */
function refusedUrls(): (readonly [url: string, reason: string])[] {
  const blocked = [
    'http://127.0.0.2:PORT/',
    'http://2130706434:PORT/',
    'http://0x7f.2:PORT/',
    'http://0177.0.0.2:PORT/',
    'http://127.2:PORT/',
    'http://127.0.0.2.:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://[::ffff:7f00:2]:PORT/',
    'http://[::127.0.0.2]:PORT/',
    'http://[64:ff9b::7f00:2]:PORT/',
    'http://[64:ff9b:1::7f00:2]:PORT/',
    'http://[2002:7f00:2::]:PORT/',
    'http://[2001:0:7f00:2::]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
  ];
  const invalid = [
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/html,x',
    'javascript:1',
    'http://user@127.0.0.1:PORT/',
    'http://:password@127.0.0.1:PORT/',
    'http://127.0.0.1:99999/',
    'http://',
    'nonsense:',
    `http://127.0.0.1/${'a'.repeat(2_100)}`,
  ];
  return [
    ...blocked.map((url) => [url, 'blocked_address'] as const),
    ...invalid.map((url) => [url, 'invalid_url'] as const),
  ];
}
