import { expect, test } from '@jest/globals';
import { presentation, wordDocument, workbook } from '../../support/builders/documents/office-documents.js';
import { blocksOf, openExtractor, pagesOf } from '../../support/builders/extraction.js';

test('a Word document gives headings, lists, tables and notes, and nothing that is hidden', async () => {
  using extractor = await openExtractor();

  const [page, ...others] = await pagesOf(extractor, await wordDocument(), 'tides.docx');

  expect(others).toEqual([]);
  expect(page).toMatchObject({ origin: 'text' });
  expect(page?.number).toBeUndefined();
  expect(blocksOf(page!)).toEqual([
    'heading1 Tide tables',
    'paragraph The highest tide was 4.21 m[1]',
    'heading2 Stations',
    'list_item1 North',
    'list_item2 North pier',
    'table Station | Height\nSouth | 3.87 m',
    'paragraph The end.',
    'paragraph [1] Measured at low water.',
  ]);
});

test('each sheet of a workbook is a page with its name, its cells as they are shown', async () => {
  using extractor = await openExtractor();

  const pages = await pagesOf(extractor, await workbook(), 'tides.xlsx');

  expect(pages.map(({ number, title }) => [number, title])).toEqual([
    [1, 'Heights'],
    [2, 'Notes'],
  ]);
  expect(blocksOf(pages[0]!)).toEqual([
    'table Station | Height | Day | Open\nStation 1 | 4.25 | 2026-03-01 | TRUE\nStation 2 | 5.25 | 2026-03-01 | FALSE',
  ]);
});

test('a long sheet comes in pieces, with its header in every group of rows', async () => {
  using extractor = await openExtractor();

  const pages = await pagesOf(extractor, await workbook(20_000), 'tides.xlsx');

  const sheet = pages.filter(({ number }) => number === 1);
  expect(sheet.length).toBeGreaterThan(10);
  expect(Math.max(...sheet.map(({ text }) => text.length))).toBeLessThan(50_000);
  expect(sheet.flatMap(blocksOf).every((block) => block.startsWith('table Station | Height | Day | Open\n'))).toBe(
    true,
  );
  expect(sheet.at(-1)?.text).toContain('Station 20000 | 20003.25 |');
});

test('each slide is a page with its title, its notes behind it', async () => {
  using extractor = await openExtractor();

  const pages = await pagesOf(extractor, await presentation(), 'tides.pptx');

  expect(pages.map(({ number, title }) => [number, title])).toEqual([
    [1, undefined],
    [2, undefined],
  ]);
  expect(blocksOf(pages[0]!)).toEqual([
    'paragraph Tides in short',
    'list_item1 Twice a day',
    'list_item1 Higher in spring',
    'paragraph Mention the storm of 1911.',
  ]);
  expect(blocksOf(pages[1]!)).toEqual(['table Station | Height\nSouth | 3.87 m']);
});
