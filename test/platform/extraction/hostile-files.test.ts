import { expect, test } from '@jest/globals';
import { pngHead } from '../../support/builders/documents/hostile-documents.js';
import { HOSTILE_FILES, LONG_TEXTS } from '../../support/builders/documents/hostile-files.js';
import { openExtractor, pagesOf } from '../../support/builders/extraction.js';

test.each(HOSTILE_FILES)('%s', async (_, kind, make, reason) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });
  const bytes = await make();

  await expect(pagesOf(extractor, bytes, 'file', { kind })).rejects.toMatchObject({ name: 'ExtractionFailed', reason });
});

test.each(LONG_TEXTS)('%s is read in limited memory, in pages of limited length', async (_, kind, make) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });

  const pages = await pagesOf(extractor, make(), 'file', { kind });

  expect(pages.length).toBeGreaterThan(0);
  expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(100_000);
});

test('an image as large as a field is refused by its head', async () => {
  using extractor = await openExtractor();

  const reading = pagesOf(extractor, pngHead(100_000, 100_000), 'image.png');

  await expect(reading).rejects.toMatchObject({ reason: extractor.ocr ? 'too_large' : 'ocr_missing' });
});
