import { describe, expect, test } from '@jest/globals';
import { findOcrPrograms } from '../../../src/platform/extraction/ocr-programs.js';
import { pageOf, pdf, picture } from '../../support/builders/documents/pdf-documents.js';
import { openExtractor, orphansOf, pagesOf } from '../../support/builders/extraction.js';

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
  });

  const pages = await pagesOf(extractor, mixed, 'mixed.pdf');

  expect(pages.map(({ number, text, failed }) => [number, text, failed])).toEqual([
    [1, '', 'ocr_missing'],
    [2, 'Written', undefined],
    [3, '', undefined],
  ]);
  expect(extractor.check()).toBe('off');
  await expect(pagesOf(extractor, scan, 'scan.pdf')).rejects.toMatchObject({ reason: 'ocr_missing' });
  await expect(pagesOf(extractor, image, 'image.png')).rejects.toMatchObject({ reason: 'ocr_missing' });
});

test('languages that are not installed are told in health', async () => {
  using extractor = await openExtractor({ extractionOcrLanguages: 'tlh' });

  expect(extractor.check()).toBe('down');
});
