import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { findOcrPrograms } from '../../../src/platform/extraction/ocr-programs.js';
import { pdf } from '../../support/documents/pdf-documents.js';
import { openExtractor, pagesOf } from '../../support/extraction.js';

const programs = await findOcrPrograms();
const scanning = programs?.pdftoppm ? describe : describe.skip;

/** A page with this text as a picture of it, as `pdftoppm` makes it. */
async function picture(text: string): Promise<Buffer> {
  const page = await pdf(
    (document) =>
      void document
        .addPage({ size: [600, 300] })
        .fontSize(28)
        .text(text),
  );
  return execFileSync(programs!.pdftoppm!, ['-png', '-r', '150', '-singlefile', '-'], { input: page });
}

scanning('scans (skipped where tesseract-ocr or poppler-utils is not installed)', () => {
  test('an image gives the words that are on it, and where', async () => {
    using extractor = await openExtractor();

    const [page] = await pagesOf(extractor, await picture('The lighthouse keeper wrote 1911'), 'photo.png');

    expect(page).toMatchObject({ number: 1, origin: 'ocr', text: 'The lighthouse keeper wrote 1911' });
    const [first] = page!.boxes!;
    expect([first!.start, first!.end]).toEqual([0, 3]);
    expect(first!.box[0]).toBeCloseTo(72 / 600, 1);
    expect(first!.box[1]).toBeCloseTo(72 / 300, 1);
    expect(first!.confidence).toBeGreaterThan(0.5);
  });

  test('of a PDF file only the scanned pages are recognized', async () => {
    using extractor = await openExtractor();
    const image = await picture('Recognized on page two');
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
    const image = await picture('word '.repeat(60));
    const bytes = await pdf((document) => {
      for (let number = 0; number < 20; number += 1) document.addPage({ size: [600, 300] }).image(image, 0, 0);
    });

    await expect(pagesOf(extractor, bytes, 'long.pdf')).rejects.toMatchObject({ reason: 'timeout' });

    expect(programsOf(programs!.tesseract)).toEqual([]);
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

/** The processes of a program that are children of nobody in these tests. */
function programsOf(program: string): string[] {
  const list = execFileSync('ps', ['-eo', 'ppid=,stat=,args='], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes(`${program} - -`) && /^\s*1 [^Z]/.test(line));
}
