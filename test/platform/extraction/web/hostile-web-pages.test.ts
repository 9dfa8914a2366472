import { afterAll, expect, test } from '@jest/globals';
import { openReader, readPage } from '../../../support/builders/web-pages.js';

const MIB = 1024 * 1024;
const MOST = 5 * MIB;

const reader = openReader();
afterAll(() => reader.close());

/** As many of a piece as a page may have bytes, and a word that must be found. */
function filled(piece: string, count = Math.floor(MOST / piece.length) - 10): string {
  return `<title>T</title><p>Needle.</p>${piece.repeat(count)}`;
}

test.each([
  ['1,000 elements in one another', filled('<div>', 1_000)],
  ['elements in one another', filled('<div>')],
  ['bold ones in one another', filled('<b>')],
  ['200,000 paragraphs', filled('<p>Tide', 200_000)],
  ['paragraphs without end', filled('<p>')],
  ['tables in one another', filled('<table><tr><td>')],
  ['lists in one another', filled('<ul><li>')],
  ['forms in one another', filled('<form><a>')],
  ['an element with many attributes', `<p>Needle.</p><p ${'a b=c '.repeat(500_000)}>x</p>`],
  [
    'an element with other attributes',
    `<p>Needle.</p><p ${Array.from({ length: 300_000 }, (_, at) => `a${at}`).join(' ')}>x</p>`,
  ],
  ['many comments', filled('<!-- x -->')],
  ['comments without end', filled('<!--')],
  ['tags without end', filled('<html')],
  ['end tags', filled('</div>')],
  ['entities', filled('&amp;&#65;&notanentity;')],
  ['one long line', filled('tide ')],
  ['one long word', filled('x')],
  ['line breaks', filled('\n')],
  ['stars', filled('*_`[')],
  ['links', filled('<a href=x>y</a>', 40_000)],
  ['long links', filled(`<a href="/${'x'.repeat(1_900)}">y</a>`, 2_000)],
  ['styles', filled('<style>.a{display:none}</style>', 40_000)],
  ['one long style', `<p>Needle.</p><style>${'.a/*{'.repeat(900_000)}</style>`],
  ['hiding declarations', `<p>Needle.</p>${`<p style="font:${'a'.repeat(90)}">x</p>`.repeat(40_000)}`],
  ['JSON in JSON', `<p>Needle.</p><script type="application/ld+json">${'['.repeat(200_000)}</script>`],
  ['code', filled('<pre>x\n</pre>', 45_000)],
  ['cells', `<p>Needle.</p><table>${'<tr><td>x<td>y'.repeat(15_000)}`],
  ['scalable graphics', filled('<svg><path>')],
  ['a body cut within a tag', '<p>Needle.</p><div class="'],
])('a page of %s gives its text', async (_, html) => {
  const memory = process.memoryUsage().rss;

  const { text, markdown, links } = await readPage(reader, html.slice(0, MOST));

  expect(text).toContain('Needle.');
  expect(Math.max(text.length, markdown.length)).toBeLessThanOrEqual(MIB);
  expect(links.length).toBeLessThanOrEqual(500);
  expect(process.memoryUsage().rss - memory).toBeLessThan(200 * MIB);
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
