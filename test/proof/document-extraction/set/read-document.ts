import { Readable } from 'node:stream';
import { layOutPage } from '../../../../src/documents/layout/page-layout.js';
import type { PageLayout } from '../../../../src/documents/layout/layout.types.js';
import type { OcrPrograms } from '../../../../src/platform/extraction/extraction.types.js';
import { readFile } from '../../../../src/platform/extraction/read-file.js';

const WHOLE_FILE_BYTES = 512 * 1024 * 1024;

/** The layout of the pages of a PDF file, read as the child reads it. @param ocr for scans */
export async function readDocument(pdf: Uint8Array, ocr?: OcrPrograms): Promise<PageLayout[]> {
  const pages: PageLayout[] = [];
  const task = { kind: 'pdf', wholeFileBytes: WHOLE_FILE_BYTES, ...(ocr ? { ocr } : {}) };
  await readFile(task, Readable.from([pdf]), async (page) => {
    pages.push(layOutPage(page));
  });
  return pages;
}
