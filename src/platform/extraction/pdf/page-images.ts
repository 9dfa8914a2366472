import type { PdfDocument } from './pdf.types.js';
import type { PageSize } from './page-text.js';
import { runProgram } from './run-program.js';

/** Letters of a page that is full of them. */
export const FULL_PAGE = 3_000;
/** What a letter takes at least, in pixels. */
const LETTER_PIXELS = 64;

const POINTS_PER_INCH = 72;

/** How long the list of images may take, in milliseconds, and how long it may be, in bytes. */
const LIST_MS = 60_000;
const LIST_BYTES = 8 * 1024 * 1024;

interface Image {
  readonly pixels: number;
  /** In square points, as it is shown. */
  readonly area: number;
}

/**
 * The images of the pages of a PDF file, as poppler's `pdfimages` lists them: unlike pdf.js it need not decode them. All pages
 * are listed when the first one is asked for.
 */
export class PageImages {
  private readonly document: PdfDocument;
  private readonly pdfimages: string;
  private listed: Promise<ReadonlyMap<number, readonly Image[]>> | undefined;

  constructor(document: PdfDocument, pdfimages: string) {
    this.document = document;
    this.pdfimages = pdfimages;
  }

  /** How many letters may stand in the images of a page, by their size on it and by their pixels. */
  async capacityOf(number: number, { width, height }: PageSize): Promise<number> {
    // Without a list what has no text is tried all the same.
    this.listed ??= this.list().catch(() => new Map());
    const images = (await this.listed).get(number) ?? [];
    const capacities = images.map(({ pixels, area }) =>
      Math.min((area / (width * height)) * FULL_PAGE, pixels / LETTER_PIXELS),
    );
    return Math.min(
      FULL_PAGE,
      capacities.reduce((sum, capacity) => sum + capacity, 0),
    );
  }

  private async list(): Promise<ReadonlyMap<number, readonly Image[]>> {
    const bytes = await this.document.getData();
    const list = await runProgram(this.pdfimages, ['-list', '-'], bytes, { mostBytes: LIST_BYTES, timeoutMs: LIST_MS });
    const images = new Map<number, Image[]>();
    for (const line of list.toString('latin1').split('\n').slice(2)) {
      const found = /^\s*(\d+)\s+\d+\s+(\S+)\s+(\d+)\s+(\d+)\s/.exec(line);
      const [across, down] = /\s([\d.]+)\s+([\d.]+)\s+\S+\s+\S+\s*$/.exec(line)?.slice(1).map(Number) ?? [];
      // Masks are parts of other images.
      if (!found || !across || !down || found[2] === 'smask' || found[2] === 'mask') continue;
      const [page, width, height] = [Number(found[1]), Number(found[3]), Number(found[4])];
      const area = (width / across) * (height / down) * POINTS_PER_INCH ** 2;
      images.set(page, [...(images.get(page) ?? []), { pixels: width * height, area }]);
    }
    return images;
  }
}
