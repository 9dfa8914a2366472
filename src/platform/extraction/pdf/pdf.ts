import { getDocumentProxy } from 'unpdf';
import { NotStarted } from '../child/not-started.js';
import { ExtractionFailed } from '../extraction-failed.js';
import type { ExtractedPage } from '../extraction.types.js';
import { LIMITS } from '../limits.js';
import type { FormatReader } from '../read-file.js';
import { FontSizes } from './font-sizes.js';
import { layOut } from './page-layout.js';
import { lettersIn, PageRecognition } from './page-recognition.js';
import type { PdfDocument, PdfPage } from './pdf.types.js';
import { coveredShare } from './scanned-page.js';
import { readTextItems } from './text-items.js';

/** After so many pages what they share, such as fonts, is forgotten: it is kept otherwise. */
const PAGES_BETWEEN_CLEANUPS = 100;

/** Letters of a page that has hardly any text, such as the mark of a scanner. */
const LITTLE_TEXT = 100;
/** Parts of a page: what smaller pictures cover is no text, and what larger ones cover may be a scan. */
const SMALL_PICTURE = 0.02;
const LARGE_PICTURE = 0.5;

/** What the pages of a file have in common. */
interface PageTools {
  /** Undefined: its programs are not installed. */
  readonly recognition: PageRecognition | undefined;
  readonly sizes: FontSizes;
}

/** A PDF file: the text of each page in reading order, or what is recognized on it. Its scripts are never run. */
export const readPdf: FormatReader = async (file, pages, { ocr }) => {
  const document = await open(await file.whole());
  const { pdftoppm } = ocr ?? {};
  const recognition = ocr && pdftoppm !== undefined ? new PageRecognition(document, { ...ocr, pdftoppm }) : undefined;
  const tools = { recognition, sizes: new FontSizes() };
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number, tools).catch((error: unknown) => error as Error);
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
  { recognition, sizes }: PageTools,
): Promise<ExtractedPage> {
  const page = await document.getPage(number);
  try {
    const { width, height } = page.getViewport({ scale: 1 });
    const size = { width, height };
    const items = await readTextItems(page);
    const text = layOut(items, { number, size, sizes });
    return await (recognition ? recognition.complete({ number, size, items, text }) : withoutRecognition(page, text));
  } finally {
    page.cleanup();
  }
}

/** A page as its text is; where that is little, it is told of its pictures. @throws ExtractionFailed ocr_missing */
async function withoutRecognition(page: PdfPage, text: ExtractedPage): Promise<ExtractedPage> {
  const said = lettersIn(text.text);
  if (said > LITTLE_TEXT) return text;
  const covered = await coveredShare(page);
  if (said === 0 && covered >= SMALL_PICTURE) throw new ExtractionFailed('ocr_missing');
  return covered >= LARGE_PICTURE ? { ...text, isUnrecognized: true } : text;
}
