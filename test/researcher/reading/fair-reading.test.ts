import { expect, it } from '@jest/globals';
import { unlessAborted } from '../../../src/platform/async/unless-aborted.js';
import type { Extractor } from '../../../src/platform/extraction/extractor.js';
import { WebPageReader } from '../../../src/platform/extraction/web/web-page-reader.js';
import type { PageType } from '../../../src/platform/net/pages/page.types.js';
import { SourceReader } from '../../../src/researcher/reading/source-reader.js';
import { report } from '../../support/builders/documents/pdf-documents.js';
import { eventually } from '../../support/probes/eventually.js';
import { openExtractor } from '../../support/builders/extraction.js';
import { silentLog } from '../../support/probes/silent-log.js';

it.each([
  // Whoever comes is behind the page that is being read, and the one that has waited longest.
  { mediaType: 'text/html', processes: 1, most: 2 },
  { mediaType: 'application/pdf', processes: 1, most: 2 },
  { mediaType: 'text/html', processes: 2, most: 4 },
  { mediaType: 'application/pdf', processes: 2, most: 4 },
] as const)('slow pages of one owner hold up nobody else: $mediaType, $processes children', async (given) => {
  await using reading = await openReading(given.mediaType, given.processes);
  const order: string[] = [];
  const read = async (name: 'slow' | 'small', owner: string) => {
    await reading.read(name, owner);
    order.push(name);
  };

  // All children have started.
  await Promise.all(Array.from({ length: given.processes }, (_, index) => reading.read('small', `owner ${index}`)));
  for (let page = 0; page < 40; page += 1) reading.wait(read('slow', 'many'));
  await read('small', 'few');

  expect(order.indexOf('small')).toBeLessThanOrEqual(given.most);
});

it('PDF pages leave one child to files that are uploaded, and are worked on for ten seconds at most', async () => {
  let atOnce = 0;
  const seen: (number | undefined)[] = [];
  await using reading = await openReading('application/pdf', 3, async function* (_, { seconds, signal }) {
    seen.push(seconds);
    atOnce += 1;
    yield await unlessAborted(new Promise<never>(() => undefined), signal);
  });

  for (const owner of ['a', 'a', 'b', 'c']) reading.wait(reading.read('small', owner));
  await eventually('what may be read is being read', 10, () => seen.length > 1);

  expect([atOnce, seen]).toEqual([2, [10, 10]]);
});

it('one owner has no more than fifty pages waiting', async () => {
  await using reading = await openReading('text/html', 1);

  for (let page = 0; page < 51; page += 1) reading.wait(reading.read('slow', 'many'));
  const refused = await reading.read('slow', 'many');
  const other = await reading.read('small', 'few');

  expect(refused).toEqual({ status: 'failed', reason: 'server_busy' });
  expect(other).toMatchObject({ page: { text: expect.stringContaining('A small page') } });
});

/** Reads pages that are fetched at once; those that are waited for are given up with the block. */
async function openReading(mediaType: PageType, processes: number, extract?: Extractor['extract']) {
  const bodies = mediaType === 'text/html' ? HTML : { slow: await report(30), small: await report(1) };
  const pages = {
    fetch: (url: string) => {
      const body = bodies[url as 'slow' | 'small'];
      const finalUrl = 'https://a.test/';
      return Promise.resolve({ url, finalUrl, status: 200, mediaType, charset: 'utf-8', body, fetchedAt: new Date() });
    },
  };
  const reader = new WebPageReader({ processes, log: silentLog });
  const extractor = await openExtractor({ extractionProcesses: processes });
  const sources = new SourceReader({ pages, reader, extractor: extract ? { extract } : extractor, processes });
  const ending = new AbortController();
  const waiting: Promise<unknown>[] = [];
  return {
    read: (url: 'slow' | 'small', owner: string) => sources.read(url, { owner, signal: ending.signal }),
    wait: (page: Promise<unknown>) => void waiting.push(page),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.allSettled(waiting);
      reader.close();
      extractor.close();
    },
  };
}

const HTML = {
  slow: pageOf(`<table>${'<tr><td>Tide</td><td>4.21 m</td></tr>'.repeat(1_000)}</table>`),
  small: pageOf('<p>A small page.</p>'),
};

function pageOf(body: string): Buffer {
  return Buffer.from(`<html lang="en"><head><title>Tides</title></head><body><main>${body}</main></body></html>`);
}
