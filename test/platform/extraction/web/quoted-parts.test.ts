import { afterAll, describe, expect, it } from '@jest/globals';
import { Quotations } from '../../../../src/researcher/verification/quotations.js';
import { readPlainPage } from '../../../../src/platform/extraction/web/plain-page.js';
import { pageOf, QUOTED_PARTS, SAID } from '../../../support/builders/quoted-parts.js';
import { openReader, readPage } from '../../../support/builders/web-pages.js';

const reader = openReader();
afterAll(() => reader.close());

describe('what a page quotes is known as quoted: read', () => {
  it.each(QUOTED_PARTS)('from a tree, %s', async (_what, html) => {
    const { text } = await readPage(reader, pageOf(html));

    expect(quotedIn(text)).toBe(true);
  });

  it.each(QUOTED_PARTS)('from tags alone, %s', (_what, html) => {
    expect(quotedIn(readPlainPage(pageOf(html)).text)).toBe(true);
  });

  it.each([
    ['behind a block', `<blockquote>We know.</blockquote><p>${SAID}</p>`],
    ['behind inline ones', `<p>He said <q>yes</q> and <q>no</q>.</p><p>${SAID}</p>`],
    ['behind one over paragraphs', `<div>He said <q><p>We know.</p></q></div><p>${SAID}</p>`],
    ['behind one that does not end', `<div><p>He said <q>We know.</p></div><p>${SAID}</p>`],
  ])('%s nothing is', async (_what, html) => {
    const { text } = await readPage(reader, pageOf(html));

    expect([quotedIn(text), quotedIn(readPlainPage(pageOf(html)).text)]).toEqual([false, false]);
  });
});

it.each([
  ['deleted', `<p>We know. <del>${SAID}</del> Trust us.</p>`],
  ['no longer right', `<p>We know. <s>${SAID}</s> Trust us.</p>`],
  ['struck through by its style', `<p>We know. <span style="text-decoration: line-through">${SAID}</span></p>`],
])('what is struck out is not said: %s', async (_what, html) => {
  const { text } = await readPage(reader, pageOf(html));

  expect(text).toContain('We know.');
  expect([text, readPlainPage(pageOf(html)).text].map((one) => one.includes(SAID))).toEqual([false, false]);
});

function quotedIn(text: string): boolean {
  const start = text.indexOf(SAID);
  if (start < 0) throw new Error(`It is not in the text: ${text.slice(0, 2_000)}`);
  return Quotations.of(text).around(text, { start, end: start + SAID.length }) !== undefined;
}
