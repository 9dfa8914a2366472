import { expect, test } from '@jest/globals';
import { HOSTILE_FILES, LONG_TEXTS } from '../../support/builders/documents/hostile-files.js';
import { openExtractor, pagesOf } from '../../support/builders/extraction.js';

const MIB = 1024 * 1024;

test.each(HOSTILE_FILES)('%s takes little time and memory of the process that has it read', async (_, kind, make) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });
  const bytes = await make();
  const memory = process.memoryUsage().rss;
  const processor = process.cpuUsage();

  await pagesOf(extractor, bytes, 'file', { kind }).catch(() => undefined);

  const { user, system } = process.cpuUsage(processor);
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * MIB);
  // All that this process does is to hand the bytes over, which takes a second or two where no other process works.
  expect((user + system) / 1e6).toBeLessThan(15);
});

test.each(LONG_TEXTS)('%s is read in 10 s and in little memory', async (_, kind, make) => {
  using extractor = await openExtractor({ extractionMemoryMib: 512, extractionSeconds: 10 });
  const memory = process.memoryUsage().rss;

  const pages = await pagesOf(extractor, make(), 'file', { kind });

  expect(pages.length).toBeGreaterThan(0);
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * MIB);
});
