import { ExtractionFailed } from '../extraction-failed.js';
import type { ExtractedPage, OcrPrograms } from '../extraction.types.js';
import { rasterise, recognize } from './ocr.js';
import { FULL_PAGE, PageImages } from './page-images.js';
import type { PdfDocument } from './pdf.types.js';
import type { PageSize } from './page-text.js';
import type { TextItem } from './text-items.js';
import type { WordFilter } from './tesseract-tsv.js';

/** Less sure than this, 0–1, a word in an image beside text is dirt. */
const LEAST_CONFIDENCE = 0.6;
const WORD = /[\p{L}\p{N}\p{Sc}]/u;
/** Fewer letters beside text are dirt, too. */
const LEAST_LETTERS = 3;

/** After so many pages in a row whose images said nothing more, those with text are no longer recognized: it takes seconds. */
const MOST_MISSES = 10;

/** What is known of a page before its images are looked at. */
interface KnownPage {
  readonly number: number;
  readonly size: PageSize;
  readonly items: readonly TextItem[];
  /** What its text says. */
  readonly text: ExtractedPage;
}

/** Recognizes what stands in the images of pages, where that may be more than their text says. */
export class PageRecognition {
  private readonly document: PdfDocument;
  private readonly ocr: OcrPrograms & { readonly pdftoppm: string };
  private readonly images: PageImages | undefined;
  private misses = 0;

  constructor(document: PdfDocument, ocr: OcrPrograms & { readonly pdftoppm: string }) {
    this.document = document;
    this.ocr = ocr;
    this.images = ocr.pdfimages === undefined ? undefined : new PageImages(document, ocr.pdfimages);
  }

  /** The page with what was recognized. @throws ExtractionFailed malformed; Error where a program fails; NotStarted */
  async complete(page: KnownPage): Promise<ExtractedPage> {
    const said = lettersIn(page.text.text);
    if (!(await this.isWorthwhile(page, said))) return page.text;
    const { number, size } = page;
    const picture = await rasterise(await this.document.getData(), { number, ...size }, this.ocr.pdftoppm);
    const [found] = await recognize(picture, this.ocr, said === 0 ? undefined : besideText(page));
    if (!found) throw new ExtractionFailed('malformed');
    const recognized = lettersIn(found.text);
    const isMiss = recognized < LEAST_LETTERS;
    this.misses = isMiss ? this.misses + 1 : 0;
    if (said === 0) return { ...found, number };
    return isMiss ? page.text : joined(page.text, found, recognized > said ? 'ocr' : 'text');
  }

  private async isWorthwhile({ number, size }: KnownPage, said: number): Promise<boolean> {
    const isTired = this.misses >= MOST_MISSES;
    if (said >= FULL_PAGE || (said > 0 && isTired)) return false;
    // Without text there may be letters that are drawn.
    return (said === 0 && !isTired) || ((await this.images?.capacityOf(number, size)) ?? 0) > said;
  }
}

/** How many letters and digits there are. */
export function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The words of a page that stand where it has no text, so that nothing is told twice. */
function besideText({ items, size: { width, height } }: KnownPage): WordFilter {
  // What is turned has a box in which more than itself may stand.
  const boxes = items.filter(({ isUpright }) => isUpright);
  return (word, { left, top, right, bottom, confidence = 0 }) => {
    const [x, y] = [((left + right) / 2) * width, ((top + bottom) / 2) * height];
    const isOverText = boxes.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
    return !isOverText && confidence >= LEAST_CONFIDENCE && WORD.test(word);
  };
}

function joined(text: ExtractedPage, found: ExtractedPage, origin: ExtractedPage['origin']): ExtractedPage {
  const separator = text.text === '' ? '' : '\n\n';
  const by = text.text.length + separator.length;
  const moved = <Place extends { readonly start: number; readonly end: number }>(places: readonly Place[] = []) =>
    places.map((place) => ({ ...place, start: place.start + by, end: place.end + by }));
  return {
    ...text,
    origin,
    text: text.text + separator + found.text,
    blocks: [...text.blocks, ...moved(found.blocks)],
    boxes: [...(text.boxes ?? []), ...moved(found.boxes)],
  };
}
