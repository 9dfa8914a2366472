import { getDocumentProxy } from 'unpdf';
import { NotStarted } from '../child/not-started.js';
import { ExtractionFailed } from '../extraction-failed.js';
import type { ExtractedPage, OcrPrograms } from '../extraction.types.js';
import { LIMITS } from '../limits.js';
import type { FormatReader } from '../read-file.js';
import { FontSizes } from './font-sizes.js';
import { rasterise, recognize } from './ocr.js';
import { layOut } from './page-layout.js';
import type { PdfDocument } from './pdf.types.js';
import { isScanned } from './scanned-page.js';
import { readTextItems } from './text-items.js';

/** After so many pages what they share, such as fonts, is forgotten: it is kept otherwise. */
const PAGES_BETWEEN_CLEANUPS = 100;

/** A PDF file: the text of each page in reading order, or what is recognized on it. Its scripts are never run. */
export const readPdf: FormatReader = async (file, pages, { ocr }) => {
  const document = await open(await file.whole());
  const sizes = new FontSizes();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number, { ocr, sizes }).catch((error: unknown) => error as Error);
    if (!(page instanceof Error)) await pages.give(page);
    else if (page instanceof NotStarted) throw page;
    else await pages.fail(number, page instanceof ExtractionFailed ? page.reason : 'malformed');
    if (number % PAGES_BETWEEN_CLEANUPS === 0) await document.cleanup();
  }
};

/** @throws ExtractionFailed encrypted, malformed or too_large */
async function open(bytes: Buffer): Promise<PdfDocument> {
  const document = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: LIMITS.pixels,
    verbosity: 0,
  }).catch((error: unknown) => {
    throw new ExtractionFailed((error as Error).name === 'PasswordException' ? 'encrypted' : 'malformed');
  });
  if (document.numPages > LIMITS.pages) throw new ExtractionFailed('too_large');
  return document;
}

async function readPage(
  document: PdfDocument,
  number: number,
  { ocr, sizes }: { readonly ocr?: OcrPrograms; readonly sizes: FontSizes },
): Promise<ExtractedPage> {
  const page = await document.getPage(number);
  try {
    const { width, height } = page.getViewport({ scale: 1 });
    const items = await readTextItems(page);
    if (items.length > 0 || !(await isScanned(page))) return layOut(items, { number, size: { width, height }, sizes });
    if (!ocr?.pdftoppm) throw new ExtractionFailed('ocr_missing');
    const picture = await rasterise(await document.getData(), { number, width, height }, ocr.pdftoppm);
    const [recognized] = await recognize(picture, ocr);
    if (!recognized) throw new ExtractionFailed('malformed');
    return { ...recognized, number };
  } finally {
    page.cleanup();
  }
}
