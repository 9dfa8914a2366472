import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { wordDocument } from '../../support/builders/documents/office-documents.js';
import { report } from '../../support/builders/documents/pdf-documents.js';
import { openExtractor, pagesOf, streamOf } from '../../support/builders/extraction.js';

const signal = new AbortController().signal;

test('a file is read from its path', async () => {
  using extractor = await openExtractor();
  const folder = await mkdtemp(join(tmpdir(), 'extraction-'));
  await writeFile(join(folder, 'report'), await report(2));

  const numbers: unknown[] = [];
  for await (const { number } of extractor.extract(join(folder, 'report'), { kind: 'pdf', signal }))
    numbers.push(number);
  await rm(folder, { recursive: true });

  expect(numbers).toEqual([1, 2]);
});

test('a path where nothing is is an error of its own', async () => {
  using extractor = await openExtractor();

  const reading = extractor.extract('/nowhere/at/all', { kind: 'pdf', signal }).next();

  await expect(reading).rejects.toMatchObject({ code: 'ENOENT' });
});

test('two files are read at once', async () => {
  using extractor = await openExtractor();
  const [first, second] = [
    extractor.extract(streamOf(await report(3)), { kind: 'pdf', signal }),
    extractor.extract(streamOf(await wordDocument()), { kind: 'docx', signal }),
  ];

  const pages = await Promise.all([first.next(), second.next()]);
  const { running } = extractor.children;
  await Promise.all([first.return(), second.return()]);

  expect(pages.map(({ value }) => value!.text.slice(0, 11))).toEqual(['Chapter 1\n\n', 'Tide tables']);
  expect(running).toBe(2);
});

test('pages come before the file is read to its end', async () => {
  using extractor = await openExtractor({ extractionMemoryMib: 512 });
  const bytes = await report(600);
  const pages = extractor.extract(streamOf(bytes), { kind: 'pdf', signal });

  await pages.next();
  let count = 1;
  for await (const _ of pages) count += 1;

  expect(count).toBe(600);
});

test('a child that dies in the middle is told as such, behind the pages that it gave', async () => {
  using extractor = await openExtractor();
  const pages = extractor.extract(streamOf(await report(400)), { kind: 'pdf', signal });
  const first = await pages.next();

  process.kill(extractor.children.busyPids[0] as number, 'SIGKILL');

  const rest = (async () => {
    for await (const _ of pages);
  })();
  expect(first.value).toMatchObject({ number: 1 });
  await expect(rest).rejects.toMatchObject({ name: 'ExtractionFailed', reason: 'interrupted' });
  expect(await pagesOf(extractor, Buffer.from('next'), 'a.txt')).toHaveLength(1);
});

test('the metrics tell running children and waiting files', async () => {
  using extractor = await openExtractor({ extractionProcesses: 1 });
  const pages = extractor.extract(streamOf(await report(2)), { kind: 'pdf', signal });
  await pages.next();

  const waiting = pagesOf(extractor, Buffer.from('waits'), 'a.txt');
  await new Promise(setImmediate);
  const values = extractor.gauges.map((gauge) => [gauge.name, gauge.read().map(({ value }) => value)]);
  await pages.return();

  expect(values).toEqual([
    ['platform_extraction_processes', [1, 0]],
    ['platform_extraction_waiting', [1]],
  ]);
  expect(await waiting).toHaveLength(1);
});
