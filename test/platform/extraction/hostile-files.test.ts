import { afterAll, expect, test } from '@jest/globals';
import { pngHead } from '../../support/builders/documents/hostile-documents.js';
import { HOSTILE_FILES, LONG_TEXTS } from '../../support/builders/documents/hostile-files.js';
import { openExtractor, pagesOf } from '../../support/builders/extraction.js';

// One child reads file after file, as on a server, and another takes its place where it ends.
const reader = await openExtractor({ extractionMemoryMib: 512 });
afterAll(() => reader[Symbol.dispose]());

test.each(HOSTILE_FILES)('%s', async (_, kind, make, reason) => {
  const bytes = await make();

  await expect(pagesOf(reader, bytes, 'file', { kind })).rejects.toMatchObject({ name: 'ExtractionFailed', reason });
});

test.each(LONG_TEXTS)('%s is read in limited memory, in pages of limited length', async (_, kind, make) => {
  const pages = await pagesOf(reader, make(), 'file', { kind });

  expect(pages.length).toBeGreaterThan(0);
  expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(100_000);
});

test('an image as large as a field is refused by its head', async () => {
  using extractor = await openExtractor();

  const reading = pagesOf(extractor, pngHead(100_000, 100_000), 'image.png');

  await expect(reading).rejects.toMatchObject({ reason: extractor.ocr ? 'too_large' : 'ocr_missing' });
});
