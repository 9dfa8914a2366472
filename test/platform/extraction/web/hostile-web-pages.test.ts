import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOSTILE_WEB_PAGES } from '../../../support/builders/hostile-web-pages.js';
import type { WebPage } from '../../../../src/platform/extraction/web/web-page.types.js';
import { openReader, readPage } from '../../../support/builders/web-pages.js';

const MIB = 1024 * 1024;

const reader = openReader();
afterAll(() => reader.close());

/** By what they are full of. */
let pages: ReadonlyMap<string, WebPage>;
// As many at once as there are children. The proof beside this test reads pages as long as they may be.
beforeAll(async () => {
  const read = HOSTILE_WEB_PAGES.map(
    async ([name, html]) => [name, await readPage(reader, html.slice(0, 1.5 * MIB))] as const,
  );
  pages = new Map(await Promise.all(read));
});

test.each(HOSTILE_WEB_PAGES.map(([name]) => name))('a page of %s gives its text', (name) => {
  const { text, markdown, links } = pages.get(name) as WebPage;

  expect(text).toContain('Needle.');
  expect(Math.max(text.length, markdown.length)).toBeLessThanOrEqual(MIB);
  expect(links.length).toBeLessThanOrEqual(500);
});

test('bytes that are no page are a text', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));

  const { text } = await readPage(reader, bytes);

  expect(text.isWellFormed()).toBe(true);
});

test('whoever leaves ends the reading', async () => {
  const leaving = new AbortController();
  const page = {
    finalUrl: 'https://example.com/',
    mediaType: 'text/html',
    charset: undefined,
    body: Buffer.from('<p>'),
  };

  const reading = reader.read(page, leaving.signal);
  leaving.abort(new Error('left'));

  await expect(reading).rejects.toThrow('left');
});
