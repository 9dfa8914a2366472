import { describe, expect, test } from '@jest/globals';
import { findOcrPrograms } from '../../../src/platform/extraction/ocr-programs.js';
import { ReadingNotes } from '../../../src/platform/extraction/reading-notes.js';
import { pageOf, pdf, picture, prose } from '../../support/builders/documents/pdf-documents.js';
import { blocksOf, openExtractor, orphansOf, pagesOf } from '../../support/builders/extraction.js';

const programs = await findOcrPrograms();
const scanning = programs?.pdftoppm ? describe : describe.skip;

scanning('scans (skipped where tesseract-ocr or poppler-utils is not installed)', () => {
  test('an image gives the words that are on it, and where', async () => {
    using extractor = await openExtractor();

    const [page] = await pagesOf(
      extractor,
      picture(await pageOf('The lighthouse keeper wrote 1911'), programs!),
      'photo.png',
    );

    expect(page).toMatchObject({ number: 1, origin: 'ocr', text: 'The lighthouse keeper wrote 1911' });
    const [first] = page!.boxes!;
    expect([first!.start, first!.end]).toEqual([0, 3]);
    expect(first!.box[0]).toBeCloseTo(72 / 600, 1);
    expect(first!.box[1]).toBeCloseTo(72 / 300, 1);
    expect(first!.confidence).toBeGreaterThan(0.5);
  });

  test('of a PDF file only the scanned pages are recognized', async () => {
    using extractor = await openExtractor();
    const image = picture(await pageOf('Recognized on page two'), programs!);
    const bytes = await pdf((document) => {
      document.addPage().text('Written on page one');
      document.addPage({ size: [600, 300], margin: 0 }).image(image, 0, 0, { width: 600 });
      document.addPage().text('Written on page three');
    });

    const pages = await pagesOf(extractor, bytes, 'mixed.pdf');

    expect(pages.map(({ number, origin, text }) => [number, origin, text])).toEqual([
      [1, 'text', 'Written on page one'],
      [2, 'ocr', 'Recognized on page two'],
      [3, 'text', 'Written on page three'],
    ]);
  });

  test('the mark of a scanner does not hide what stands in the picture', async () => {
    using extractor = await openExtractor();
    const image = picture(await pageOf('Recognized below a mark'), programs!);
    const bytes = await pdf((document) => {
      document.addPage({ size: [600, 300], margin: 0 }).image(image, 0, 0, { width: 600 });
      document.fontSize(8).text('Scanned with PaperScan', 400, 280, { lineBreak: false });
    });

    const [page] = await pagesOf(extractor, bytes, 'marked.pdf');

    expect(page).toMatchObject({
      number: 1,
      origin: 'text',
      text: 'Scanned with PaperScan\n\nRecognized below a mark',
    });
    expect(blocksOf(page!)).toEqual(['paragraph Scanned with PaperScan', 'paragraph Recognized below a mark']);
    const word = page!.boxes!.find(({ start, end }) => page!.text.slice(start, end) === 'Recognized');
    expect(word!.box[0]).toBeCloseTo(72 / 600, 1);
    expect(word!.confidence).toBeGreaterThan(0.6);
  });

  test('pictures smaller than half of a page are read, beside text too', async () => {
    using extractor = await openExtractor();
    const image = picture(await pageOf('Total 31 euros'), programs!);
    const bytes = await pdf((document) => {
      document.addPage().image(image, 100, 300, { width: 250 });
      document.addPage().text('Receipt of May').image(image, 100, 300, { width: 250 });
      document.addPage().rect(100, 100, 200, 300).stroke();
      document.addPage({ margin: 20 }).text(prose(80)).image(image, 500, 700, { width: 60 });
    });

    const pages = await pagesOf(extractor, bytes, 'receipts.pdf');

    expect(pages.slice(0, 3).map(({ text }) => text)).toEqual([
      'Total 31 euros',
      'Receipt of May\n\nTotal 31 euros',
      '',
    ]);
    expect(pages[3]).toMatchObject({ origin: 'text' });
    expect(pages[3]!.text).not.toContain('31');
  });

  test('what a scan has as text already is told once', async () => {
    using extractor = await openExtractor();
    const words = 'Recognized by the scanner itself';
    const image = picture(await pageOf(words), programs!);
    const bytes = await pdf((document) => {
      document.addPage({ size: [600, 300], margin: 72 }).image(image, 0, 0, { width: 600 });
      document.fontSize(28).fillOpacity(0).text(words, 72, 72);
    });

    const [page] = await pagesOf(extractor, bytes, 'searchable.pdf');

    expect(page).toMatchObject({ origin: 'text', text: words });
  });

  test('programs end with their child', async () => {
    using extractor = await openExtractor({ extractionSeconds: 1 });
    const image = picture(await pageOf('word '.repeat(60)), programs!);
    const bytes = await pdf((document) => {
      for (let number = 0; number < 20; number += 1) document.addPage({ size: [600, 300] }).image(image, 0, 0);
    });

    await expect(pagesOf(extractor, bytes, 'long.pdf')).rejects.toMatchObject({ reason: 'timeout' });

    expect(orphansOf(programs!.tesseract)).toEqual([]);
  });
});

test('without its programs a scanned page says what is missing, and so does a file of nothing else', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '';
  using extractor = await openExtractor().finally(() => (process.env['PATH'] = path));
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  );
  const scan = await pdf((document) => void document.addPage().image(image, 0, 0, { width: 612, height: 792 }));
  const mixed = await pdf((document) => {
    document.addPage().image(image, 0, 0, { width: 612, height: 792 });
    document.addPage().text('Written');
    document.addPage();
    document.addPage().image(image, 0, 0, { width: 612, height: 600 }).text('Scanned with PaperScan', 72, 700);
    document.addPage().image(image, 0, 0, { width: 300, height: 200 });
  });

  const pages = await pagesOf(extractor, mixed, 'mixed.pdf');

  expect(pages.map(({ number, text, failed, isUnrecognized }) => [number, text, failed, isUnrecognized])).toEqual([
    [1, '', 'ocr_missing', undefined],
    [2, 'Written', undefined, undefined],
    [3, '', undefined, undefined],
    [4, 'Scanned with PaperScan', undefined, true],
    [5, '', 'ocr_missing', undefined],
  ]);
  const notes = new ReadingNotes();
  pages.forEach((page) => notes.note(page));
  expect(notes.pagesFailed).toEqual([1, 5]);
  expect(notes.warnings).toEqual([
    'Pictures on page 4 were not read: text recognition is not installed.',
    'No text was found on page 3.',
  ]);
  expect(extractor.check()).toBe('off');
  await expect(pagesOf(extractor, scan, 'scan.pdf')).rejects.toMatchObject({ reason: 'ocr_missing' });
  await expect(pagesOf(extractor, image, 'image.png')).rejects.toMatchObject({ reason: 'ocr_missing' });
});

test('languages that are not installed are told in health', async () => {
  using extractor = await openExtractor({ extractionOcrLanguages: 'tlh' });

  expect(extractor.check()).toBe('down');
});
