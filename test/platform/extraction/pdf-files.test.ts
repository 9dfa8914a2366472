import { expect, test } from '@jest/globals';
import { columns, pdf, prose, report } from '../../support/builders/documents/pdf-documents.js';
import { blocksOf, openExtractor, pagesOf } from '../../support/builders/extraction.js';

test('each page of a PDF file tells its number, its heading and its paragraphs', async () => {
  using extractor = await openExtractor();

  const pages = await pagesOf(extractor, await report(3), 'report.pdf');

  expect(pages.map(({ number, origin }) => [number, origin])).toEqual([
    [1, 'text'],
    [2, 'text'],
    [3, 'text'],
  ]);
  expect(blocksOf(pages[1]!)).toEqual([
    'heading1 Chapter 2',
    `paragraph Paragraph 1 of chapter 2. ${prose(12)}`,
    `paragraph Paragraph 2 of chapter 2. ${prose(12)}`,
    `paragraph Paragraph 3 of chapter 2. ${prose(12)}`,
  ]);
});

test('columns are read one after the other, and tables by rows', async () => {
  using extractor = await openExtractor();

  const [page] = await pagesOf(extractor, await columns(), 'columns.pdf');

  expect(blocksOf(page!)).toEqual([
    'heading1 Tides and their keepers',
    `paragraph Left begins here. ${prose(6)} Left ends here.`,
    `paragraph Right begins here. ${prose(6)} Right ends here.`,
    'table Station | Height | Year\nNorth | 4.21 m | 1911\nSouth | 3.87 m | 1924',
  ]);
});

test('boxes tell from the top left where a text stands, on a turned page as it is shown', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    for (const Rotate of [0, 90]) {
      document
        .addPage({ size: [200, 400], margin: 0 })
        .fontSize(20)
        .text('Corner', 20, 40);
      Object.assign(document.page.dictionary.data, { Rotate });
    }
  });

  const [upright, turned] = await pagesOf(extractor, bytes, 'boxes.pdf');

  const [left, top, right, bottom] = upright!.boxes![0]!.box;
  expect(left).toBeCloseTo(0.1, 2);
  expect(top).toBeCloseTo(0.1, 1);
  expect(right).toBeGreaterThan(0.35);
  expect(bottom - top).toBeCloseTo(0.05, 2);
  expect(turned!.text).toBe('Corner');
  // The page's top is its right edge now.
  expect(turned!.boxes![0]!.box[0]).toBeCloseTo(1 - bottom, 1);
});

test('a line gives a box for each stretch between blanks of its items, and the page its shape', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    document.addPage({ size: [400, 200], margin: 0 }).fontSize(10);
    for (const [index, text] of ['1.50', 'EUR', '30.00'].entries())
      document.text(text, 40 + index * 28, 40, { lineBreak: false });
  });

  const [page] = await pagesOf(extractor, bytes, 'stretches.pdf');

  expect(page!.text).toBe('1.50 EUR 30.00');
  expect(page!.boxes!.map(({ start, end }) => page!.text.slice(start, end))).toEqual(['1.50', 'EUR', '30.00']);
  expect(page!.boxes!.map(({ box }) => box[0])).toEqual([0.1, 0.17, 0.24]);
  expect(page!.aspect).toBe(2);
});

test('words that were divided at the end of a line are put together, and ligatures are letters', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    document.addPage().fontSize(12);
    for (const line of ['The light-', 'house keeper of the North-', 'Sea kept o\ufb03ce until the year 1911.'])
      document.text(line);
  });

  const [page] = await pagesOf(extractor, bytes, 'divided.pdf');

  expect(page!.text).toMatch(/^The lighthouse keeper of the North-Sea kept /);
});

test('indented lines are a new paragraph, or the rest of a list item whose mark stands out', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    document.addPage().fontSize(11);
    document.text(prose(5), 72, 72, { width: 400, indent: 20 });
    document.text(prose(3), { width: 400, indent: 20 });
    for (const mark of ['A.', 'B.']) {
      document.text(mark, 72, document.y + 14, { lineBreak: false }).text(prose(3), 90, document.y, { width: 382 });
    }
  });

  const [page] = await pagesOf(extractor, bytes, 'indented.pdf');

  expect(blocksOf(page!)).toEqual([
    `paragraph ${prose(5)}`,
    `paragraph ${prose(3)}`,
    `paragraph A. ${prose(3)}`,
    `paragraph B. ${prose(3)}`,
  ]);
});

test('a script in a PDF file is not run, and what it says is not text', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    document.addPage().text('Plain text.');
    const script = document.ref({ S: 'JavaScript', JS: new String('app.alert("run"); while (true) {}') });
    script.end(Buffer.alloc(0));
    (document as unknown as { _root: { data: Record<string, unknown> } })._root.data['OpenAction'] = script;
  });

  const pages = await pagesOf(extractor, bytes, 'script.pdf');

  expect(pages.map(({ text }) => text)).toEqual(['Plain text.']);
});

test('a page that cannot be read is told as such, and the others are read', async () => {
  using extractor = await openExtractor();
  const bytes = await pdf((document) => {
    document.addPage().text('First.');
    document
      .addPage()
      .addContent(`BT /F1 1 Tf ${'1 0 0 1 72 700 Tm (endless words that fill a page) Tj '.repeat(30_000)} ET`);
    document.addPage().text('Third.');
  });

  const pages = await pagesOf(extractor, bytes, 'broken.pdf');

  expect(pages.map(({ number, text, failed }) => [number, text, failed])).toEqual([
    [1, 'First.', undefined],
    [2, '', 'too_large'],
    [3, 'Third.', undefined],
  ]);
});
