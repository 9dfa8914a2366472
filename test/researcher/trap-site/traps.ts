import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { repeatedly } from '../../support/servers/raw-server.js';
import type { Trap } from '../../support/servers/trap-bed.js';
import { redirectTo } from '../../support/servers/web-site.js';
import type { Route } from '../../support/servers/web-site.js';

const HTML = { 'content-type': 'text/html' };
const MIB = 1024 * 1024;
const LIE = 'The Kessel bridge is 900 metres long.';
const ZEROS = Buffer.alloc(64 * MIB);
const GZIP_BOMB = gzipSync(ZEROS, { level: 1 });
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** The traps by their names. */
export const TRAPS: Readonly<Record<string, Trap>> = {
  gzip: { page: coded('gzip', GZIP_BOMB) },
  brotli: { page: coded('br', brotliCompressSync(ZEROS, QUICK)) },
  deflate: { page: coded('deflate', deflateSync(ZEROS, { level: 1 })) },
  zstd: { page: coded('zstd', Buffer.from('28b52ffd', 'hex')) },
  double: { page: coded('gzip, gzip', gzipSync(GZIP_BOMB)) },
  mixed: { page: coded('br, gzip', gzipSync(GZIP_BOMB)) },
  unknown: { page: coded('compress', Buffer.from(LIE)) },
  broken: { page: coded('gzip', Buffer.from(LIE)) },
  cut: { page: coded('gzip', gzipSync(LIE.repeat(1_000)).subarray(0, 40)) },
  head: { page: { headers: { 'x-large': 'x'.repeat(17 * 1024) }, body: LIE } },
  heads: { page: raw((socket) => repeatedly(socket, `x-header: ${'x'.repeat(1_000)}\r\n`, 1), '') },
  endless: { page: (_, response) => endless(response.writeHead(200, HTML)) },
  announced: { page: raw(() => undefined, 'content-length: 99999999\r\n\r\n') },
  large: { page: { body: `<p>${LIE}</p>`.repeat(200_000) } },
  early: { page: raw((socket) => socket.end(), `content-length: 1000\r\n\r\n${LIE}`) },
  lengths: { page: raw((socket) => socket.end(), `content-length: 5\r\ncontent-length: 37\r\n\r\n${LIE}`) },
  smuggled: { page: raw((socket) => socket.end(), `content-length: 37\r\ntransfer-encoding: chunked\r\n\r\n${LIE}`) },
  closed: { page: (request) => request.socket.destroy() },
  protocol: { page: (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n') },
  picture: { page: { headers: { 'content-type': 'image/png' }, body: `<p>${LIE}</p>` } },
  json: { page: { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: LIE }) } },
  script: { page: { headers: { 'content-type': 'text/javascript' }, body: LIE } },
  'not-pdf': { page: { headers: { 'content-type': 'application/pdf' }, body: `<p>${LIE}</p>` } },
  'broken-pdf': { page: { headers: { 'content-type': 'application/pdf' }, body: `%PDF-1.7\n${'x'.repeat(10_000)}` } },
  nothing: { page: { status: 204 } },
  blank: { page: { body: '<html><body> &nbsp; \u200b </body></html>' } },
  loop: { page: redirectTo('/loop') },
  pair: { page: redirectTo('/pair-2') },
  'pair-2': { page: redirectTo('/pair') },
  chain: { page: redirectTo('/chain-1') },
  ...chain(6),
  years: { page: { status: 503, headers: { 'retry-after': String(10 * 365 * 86_400) }, body: LIE } },
  date: { page: { status: 429, headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, body: LIE } },
  gone: { page: { status: 410, body: LIE } },
  failing: { page: { status: 500, body: LIE } },
  drips: { page: raw((socket) => repeatedly(socket, 'x', 50), 'content-length: 100000\r\n\r\n') },
  'dripping-head': { page: raw((socket) => repeatedly(socket, 'x', 50), '') },
  informing: { page: ({ socket }) => repeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n') },
  mute: { page: () => undefined },
  silent: { page: { body: LIE } },
  hanging: { page: { body: LIE }, robots: () => undefined },
  'dripping-robots': {
    page: { body: LIE },
    robots: raw((socket) => repeatedly(socket, '#', 50), 'content-length: 100000\r\n\r\n'),
  },
  forbidding: { page: { body: LIE }, robots: { body: 'User-agent: *\nDisallow: /' } },
  'failing-robots': { page: { body: LIE }, robots: { status: 503 } },
  'redirecting-robots': { page: { body: LIE }, robots: redirectTo('http://10.0.0.1/robots.txt') },
  'scheme-of-robots': { page: { body: LIE }, robots: redirectTo('file:///etc/passwd') },
  'large-robots': { page: { body: LIE }, robots: { body: `User-agent: *\nDisallow: /\n${'# x\n'.repeat(300_000)}` } },
  'bomb-robots': {
    page: { body: LIE },
    robots: coded('gzip', gzipSync(`User-agent: *\nDisallow: /\n${'\n'.repeat(64 * MIB)}`)),
  },
  refresh: { page: { headers: { refresh: '0; url=/secret' }, body: page('A guide to the Kessel region.') } },
  meta: {
    page: {
      body: `<meta http-equiv="refresh" content="0;url=/secret">${page('Another guide, to the Marn region.')}<link rel="prefetch" href="/secret"><iframe src="/secret"></iframe><img src="/secret">`,
    },
  },
  secret: { page: { body: LIE } },
  sitemap: {
    page: {
      body: `<html><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${Array.from({ length: 500 }, (_, index) => `<script src="/${index}.js"></script>`).join('')}</body></html>`,
    },
  },
  changing: changing(),
};

const [SKIPPED, FAILED] = ['skipped', 'failed'];
/** Those that end with the deadline alone. */
export const SLOW = ['drips', 'dripping-head', 'informing', 'mute', 'silent', 'hanging', 'dripping-robots'];

/** What becomes of them: those of a group are read in one session. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  'bombs and codings': {
    gzip: [SKIPPED, 'too_large'],
    brotli: [FAILED, 'unsupported_encoding'],
    deflate: [SKIPPED, 'too_large'],
    zstd: [FAILED, 'unsupported_encoding'],
    double: [FAILED, 'unsupported_encoding'],
    mixed: [FAILED, 'unsupported_encoding'],
    unknown: [FAILED, 'unsupported_encoding'],
    broken: [FAILED, 'unsupported_encoding'],
    cut: [FAILED, 'unsupported_encoding'],
  },
  'sizes and lengths': {
    head: [SKIPPED, 'too_large'],
    heads: [SKIPPED, 'too_large'],
    endless: [SKIPPED, 'too_large'],
    announced: [SKIPPED, 'too_large'],
    large: [SKIPPED, 'too_large'],
    early: [FAILED, 'unreachable'],
    lengths: [FAILED, 'unreachable'],
    smuggled: [FAILED, 'unreachable'],
    closed: [FAILED, 'unreachable'],
  },
  'types and contents': {
    protocol: [FAILED, 'unreachable'],
    picture: [SKIPPED, 'unsupported_type'],
    json: [SKIPPED, 'unsupported_type'],
    script: [SKIPPED, 'unsupported_type'],
    'not-pdf': [FAILED, 'malformed'],
    'broken-pdf': [FAILED, 'malformed'],
    nothing: [FAILED, 'empty'],
    blank: [FAILED, 'empty'],
  },
  'redirects and statuses': {
    loop: [FAILED, 'too_many_redirects'],
    pair: [FAILED, 'too_many_redirects'],
    chain: [FAILED, 'too_many_redirects'],
    years: [FAILED, 'http_error'],
    date: [FAILED, 'http_error'],
    gone: [FAILED, 'http_error'],
    failing: [FAILED, 'http_error'],
  },
  'what takes for ever': Object.fromEntries(SLOW.map((name) => [name, [FAILED, 'timeout']])),
  'robots.txt': {
    forbidding: [SKIPPED, 'robots'],
    'failing-robots': [SKIPPED, 'robots'],
    'redirecting-robots': [SKIPPED, 'blocked_address'],
    'scheme-of-robots': [SKIPPED, 'robots'],
    'large-robots': [SKIPPED, 'robots'],
    'bomb-robots': [SKIPPED, 'robots'],
  },
};

function coded(coding: string, body: Buffer): Route {
  return { headers: { 'content-encoding': coding }, body };
}

/** A head of a success, and what follows it. */
function raw(write: (socket: Parameters<typeof repeatedly>[0]) => void, rest: string): Route {
  return ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${rest}`);
    write(socket);
  };
}

function endless(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const go = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', go);
  go();
}

function chain(length: number): Record<string, Trap> {
  const links = Array.from({ length }, (_, index) => [
    `chain-${index + 1}`,
    { page: redirectTo(`/chain-${index + 2}`) },
  ]);
  return Object.fromEntries(links) as Record<string, Trap>;
}

function page(text: string): string {
  return `<html lang="en"><body><main><p>${text}</p></main></body></html>`;
}

function changing(): Trap {
  let count = 0;
  return {
    page: (_, response) => {
      count += 1;
      response.writeHead(200, HTML).end(page(`The Kessel bridge has ${count} lanes.`));
    },
  };
}
