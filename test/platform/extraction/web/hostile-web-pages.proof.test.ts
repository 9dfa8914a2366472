import { afterAll, expect, test } from '@jest/globals';
import { HOSTILE_WEB_PAGES, MOST_BYTES } from '../../../support/builders/hostile-web-pages.js';
import { openReader, readPage } from '../../../support/builders/web-pages.js';

const MIB = 1024 * 1024;

const reader = openReader();
afterAll(() => reader.close());

test.each(HOSTILE_WEB_PAGES)('a page of %s takes little memory of the process that has it read', async (_, html) => {
  const memory = process.memoryUsage().rss;

  await readPage(reader, html.slice(0, MOST_BYTES));

  expect(process.memoryUsage().rss - memory).toBeLessThan(200 * MIB);
});
