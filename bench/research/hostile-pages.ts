import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MIB = 1024 * 1024;
/** Just below what is fetched of a page. */
const MOST = 5 * MIB - 1_000;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const LOREM = 'Tides turn twice a day, and ships wait for them. ';

/** As many of a piece as a page may have bytes. */
function filled(piece: string, count = Math.floor(MOST / piece.length)): string {
  return `<title>T</title><p>Needle of the page.</p>${piece.repeat(count)}`;
}

const bomb = Buffer.alloc(100 * MIB, 'a');
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const bombs = { gzip: gzipSync(bomb, { level: 1 }), br: brotliCompressSync(bomb, fast) };
const attributes = Array.from({ length: 300_000 }, (_, at) => `a${at}`).join(' ');
const noise = Buffer.from(Array.from({ length: 2 * MIB }, (_, at) => (at * 7919 + (at >> 8)) % 251));

type Send = (response: ServerResponse) => void;

const KINDS: readonly Send[] = [
  coded('gzip', bombs.gzip),
  coded('br', bombs.br),
  coded('gzip, gzip', gzipSync(bombs.gzip)),
  coded('gzip', Buffer.from('no gzip at all')),
  coded('gzip', bombs.gzip.subarray(0, 5_000)),
  page(filled('<div>')),
  page(filled('<div>', 1_000)),
  page(filled('<b>')),
  page(filled('<table><tr><td>')),
  page(filled(`<p>${LOREM.slice(0, 20)}`, 200_000)),
  page(`<p>Needle of the page.</p><p title="${'x'.repeat(MOST)}">x</p>`),
  page(`<p>Needle of the page.</p><p ${attributes}>x</p>`),
  page(filled('&amp;&#65;&notanentity;')),
  page(filled('<!--')),
  page(filled(LOREM)),
  page(filled('x')),
  page(filled('<a href=x>y</a>', 40_000)),
  page(filled('<style>.a{display:none}</style>', 40_000)),
  page(`<p>Needle of the page.</p><script type="application/ld+json">${'['.repeat(200_000)}</script>`),
  page(`<div id="root"></div>${`<script>${'x'.repeat(1_000)}</script>`.repeat(4_000)}`),
  page(noise, { 'content-type': 'text/html; charset=utf-16' }),
  page(noise, { 'content-type': 'text/html; charset=shift_jis' }),
  page(noise, { 'content-type': 'text/plain' }),
  endless,
  (response) => response.writeHead(302, { location: '/hostile-24' }).end(),
];

/** Sends one of the pages, by its number. */
export function sendHostilePage(number: number, response: ServerResponse): void {
  KINDS[number % KINDS.length]?.(response);
}

function page(body: string | Buffer, headers: Readonly<Record<string, string>> = HTML): Send {
  const bytes = Buffer.from(body).subarray(0, MOST);
  return (response) => response.writeHead(200, headers).end(bytes);
}

function coded(coding: string, body: Buffer): Send {
  return (response) => response.writeHead(200, { ...HTML, 'content-encoding': coding }).end(body);
}

/** A body that ends when nobody reads it any more. */
function endless(response: ServerResponse): void {
  response.writeHead(200, HTML);
  const piece = Buffer.from(`<p>${LOREM.repeat(1_000)}`);
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}
