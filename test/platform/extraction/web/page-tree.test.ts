import { expect, test } from '@jest/globals';
import { Readability } from '@mozilla/readability';
import { ArticleFinder } from '../../../../src/platform/extraction/web/article-finder.js';
import { parsePage, textOf } from '../../../../src/platform/extraction/web/page-tree.js';
import { readPlainPage } from '../../../../src/platform/extraction/web/plain-page.js';

const prose = 'Tides turn twice a day, and ships wait for them. '.repeat(20);

test('nodes keep no listeners, which cost a tenth of the time of a page', () => {
  const { body } = parsePage('<p>Tides</p>');
  const listened = body as unknown as { addEventListener(type: string, listener: () => void): void };
  expect(() => listened.addEventListener('click', () => undefined)).toThrow(TypeError);
  expect(textOf(body)).toBe('Tides');
});

test.each([
  ['a tree', (html: string) => textOf(parsePage(html).body)],
  ['tags alone', (html: string) => readPlainPage(html).text],
])('what is quoted has its marks, as a reader sees it: read from %s', (_how, read) => {
  const html = '<p>Before.</p><blockquote><p>Said by <q>others</q>.</p>And<br>more.</blockquote><p>After.</p>';
  expect(read(html)).toBe('Before.\n\n> Said by “others”.\n\n> And\n\n> more.\n\nAfter.');
});

test('an article is found without what its style hides', () => {
  const document = parsePage(`<article><p>${prose}</p><p style="display:none">Unseen</p><p>${prose}</p></article>`);
  const content = new ArticleFinder(document).parse()?.content;
  const text = content ? textOf(content) : '';
  expect(text).toContain('Tides turn');
  expect(text).not.toContain('Unseen');
});

test.each(['_isProbablyVisible', '_fixRelativeUris'])('Readability has the method %s, which is replaced', (name) => {
  expect(Readability.prototype).toHaveProperty(name);
});
