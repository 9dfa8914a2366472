/**
 * Serves pages of manuals and hostile ones on many hosts of this machine, each with a robots.txt, and a search engine that
 * finds ten pages, and prints its port. `node --import tsx bench/research/page-server.ts HOSTS`
 *
 *     /page-N       a page of a manual
 *     /hostile-N    a page that is made to exhaust whoever reads it
 *     /search       as SearXNG: the same ten pages, each on a host of its own
 *     /next         the next search finds ten others
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FOUND, hostAddress, PAGES } from './hosts.js';
import { sendHostilePage } from './hostile-pages.js';
import { packagedPages } from './packaged-pages.js';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const ROBOTS = 'User-agent: *\nDisallow: /private/\nDisallow: /search\nAllow: /\n';

const hosts = Number(process.argv[2] ?? 1);
const pages = packagedPages(PAGES);
let first = 0;
const port = await listen(0, '127.0.0.1');
for (let host = 0; host < hosts; host += 1) await listen(port, hostAddress(host));
console.log(JSON.stringify({ port }));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

async function listen(wanted: number, address: string): Promise<number> {
  const server = createServer(answer).listen(wanted, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => undefined);
  const [, kind, number] = /^\/([a-z]+)(?:-(\d+))?/.exec(request.url ?? '') ?? [];
  if (kind === 'page') response.writeHead(200, HTML).end(pages[Number(number) % PAGES]);
  else if (kind === 'hostile') sendHostilePage(Number(number), response);
  else if (kind === 'robots') response.writeHead(200, { 'content-type': 'text/plain' }).end(ROBOTS);
  else if (kind === 'search') response.writeHead(200, { 'content-type': 'application/json' }).end(found(request));
  else if (kind === 'next') response.end(String((first += FOUND)));
  else response.writeHead(404).end();
}

/** What is found does not depend on what is asked. */
function found({ url }: IncomingMessage): string {
  const { searchParams } = new URL(url ?? '', 'http://search');
  const numbers = searchParams.get('pageno') === '1' ? Array.from({ length: FOUND }, (_, index) => first + index) : [];
  const results = numbers.map((number) => ({
    url: `http://${hostAddress(number % hosts)}:${port}/page-${number}`,
    title: `Page ${number}`,
    content: 'A page of a manual.',
    engine: 'bench',
    engines: ['bench'],
    score: 1,
    category: 'general',
  }));
  return JSON.stringify({ query: searchParams.get('q'), number_of_results: 0, results, unresponsive_engines: [] });
}
