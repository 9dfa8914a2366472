import { afterAll, expect, test } from '@jest/globals';
import { HOSTILE_WEB_PAGES, MOST_BYTES } from '../../../support/builders/hostile-web-pages.js';
import { openReader, readPage } from '../../../support/builders/web-pages.js';

const MIB = 1024 * 1024;

const reader = openReader();
afterAll(() => reader.close());

test.each(HOSTILE_WEB_PAGES)(
  'a page of %s gives its text, and takes little memory of this process',
  async (_, html) => {
    const memory = process.memoryUsage().rss;

    const { text, markdown, links } = await readPage(reader, html.slice(0, MOST_BYTES));

    expect(text).toContain('Needle.');
    expect(Math.max(text.length, markdown.length)).toBeLessThanOrEqual(MIB);
    expect(links.length).toBeLessThanOrEqual(500);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * MIB);
  },
);
