/**
 * Fetches and reads pages one after another, each of a host of its own, and prints the median and the 95th percentile of the
 * milliseconds that one takes. `node --import tsx bench/research/time-pages.ts server|bare PORT`
 */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { pino } from 'pino';
import { request } from 'undici';
import { PageReading } from '../../src/researcher/reading/page-reading.js';
import { percentile } from '../load.js';
import { hostAddress, PAGES } from './hosts.js';
import type { TimedPages } from './research-pages.js';

const [column, port] = process.argv.slice(2);
const read = column === 'bare' ? readBare : readAsServer();
const times: number[] = [];
for (let page = 0; page < PAGES; page += 1) {
  const startedAt = performance.now();
  const characters = await read(`http://${hostAddress(page)}:${port}/page-${page}`);
  times.push(performance.now() - startedAt);
  if (characters === 0) throw new Error(`Page ${page} is empty.`);
}
times.sort((a, b) => a - b);
const printed: TimedPages = { median: percentile(times, 0.5), p95: percentile(times, 0.95) };
console.log(JSON.stringify(printed));
process.exit(0);

async function readBare(url: string): Promise<number> {
  const { body } = await request(url);
  const { document } = parseHTML(await body.text()) as unknown as { document: never };
  return new Readability(document).parse()?.textContent?.length ?? 0;
}

function readAsServer(): (url: string) => Promise<number> {
  const reading = new PageReading({
    config: { egressAllow: ['127.0.0.0/8'], egressPorts: [[1, 65_535]] },
    processes: 2,
    extractor: { extract: noPdf },
    version: 'bench',
    log: pino({ level: 'silent' }),
  });
  return async (url) => {
    const read = await reading.sources.read(url, { owner: 'bench', signal: new AbortController().signal });
    if ('status' in read) throw new Error(`${url}: ${read.reason}`);
    return read.page.text.length;
  };
}

/** There are none among the pages. */
async function* noPdf(): AsyncGenerator<never, void, undefined> {}
