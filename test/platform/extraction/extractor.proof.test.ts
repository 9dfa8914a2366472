import { expect, test } from '@jest/globals';
import { report } from '../../support/builders/documents/pdf-documents.js';
import { openExtractor, streamOf } from '../../support/builders/extraction.js';

test('pages are read in memory that does not grow with them', async () => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });
  const bytes = await report(600);
  const memory = process.memoryUsage().heapUsed;
  const pages = extractor.extract(streamOf(bytes), { kind: 'pdf', signal: new AbortController().signal });

  let count = 0;
  for await (const _ of pages) count += 1;

  expect(count).toBe(600);
  expect(process.memoryUsage().heapUsed - memory).toBeLessThan(100 * 1024 * 1024);
});
