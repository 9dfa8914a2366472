import { expect, test } from '@jest/globals';
import type { FileKind } from '../../../src/platform/extraction/extraction.types.js';
import { pngHead, utf16Garbage } from '../../support/builders/documents/hostile-documents.js';
import { HOSTILE_FILES } from '../../support/builders/documents/hostile-files.js';
import { openExtractor, pagesOf } from '../../support/builders/extraction.js';

const MIB = 1024 * 1024;

test.each(HOSTILE_FILES)('%s', async (_, kind, make, reason) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });
  const bytes = await make();
  const memory = process.memoryUsage().rss;
  const processor = process.cpuUsage();

  await expect(pagesOf(extractor, bytes, 'file', { kind })).rejects.toMatchObject({ name: 'ExtractionFailed', reason });

  const { user, system } = process.cpuUsage(processor);
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * MIB);
  // All that this process does is to hand the bytes over, which takes a second or two where nobody else works.
  expect((user + system) / 1e6).toBeLessThan(15);
});

test.each<[string, FileKind, () => Buffer]>([
  ['UTF-16 garbage', 'text', utf16Garbage],
  ['200,000 paragraphs', 'html', () => Buffer.from('<p>Tide'.repeat(200_000))],
  ['Markdown of nothing but marks', 'markdown', () => Buffer.from('> - * [![`_'.repeat(50_000))],
  ['Markdown with quotes 50,000 deep', 'markdown', () => Buffer.from(`${'>'.repeat(50_000)} a\n`.repeat(10))],
  [
    'Markdown of deep lists',
    'markdown',
    () => Buffer.from(Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')),
  ],
  ['a text without a line break', 'text', () => Buffer.alloc(10 * MIB, 'a')],
])('%s is read in little time and memory', async (_, kind, make) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512, extractionSeconds: 10 });
  const memory = process.memoryUsage().rss;

  const pages = await pagesOf(extractor, make(), 'file', { kind });

  expect(pages.length).toBeGreaterThan(0);
  expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(100_000);
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * MIB);
});

test('an image as large as a field is refused by its head', async () => {
  using extractor = await openExtractor();

  const reading = pagesOf(extractor, pngHead(100_000, 100_000), 'image.png');

  await expect(reading).rejects.toMatchObject({ reason: extractor.ocr ? 'too_large' : 'ocr_missing' });
});
