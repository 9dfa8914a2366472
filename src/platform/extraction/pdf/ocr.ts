import type { ExtractedPage, OcrPrograms } from '../extraction.types.js';
import { LIMITS } from '../limits.js';
import { runProgram } from './run-program.js';
import { readTsv } from './tesseract-tsv.js';
import type { WordFilter } from './tesseract-tsv.js';

/** Enough for letters of 8 points. */
const DOTS_PER_INCH = 200;

/** The longest side of a page's picture, in pixels: a page may be as large as a house. */
const SIDE_PIXELS = 5_000;

const POINTS_PER_INCH = 72;

/** The picture of a page: a PGM file. @throws Error where the program fails */
export async function rasterise(
  pdf: Uint8Array,
  page: { readonly number: number; readonly width: number; readonly height: number },
  pdftoppm: string,
): Promise<Buffer> {
  const inches = Math.max(page.width, page.height) / POINTS_PER_INCH;
  const resolution = Math.max(1, Math.floor(Math.min(DOTS_PER_INCH, SIDE_PIXELS / inches)));
  const number = String(page.number);
  const args = ['-f', number, '-l', number, '-r', String(resolution), '-cropbox', '-gray', '-q', '-'];
  const picture = await runProgram(pdftoppm, args, pdf, { mostBytes: LIMITS.pixels });
  // Whatever is no picture is a list of files to tesseract.
  if (picture.subarray(0, 2).toString('latin1') !== 'P5') throw new Error('the page gives no picture');
  return picture;
}

/** The text of a picture, a page for each that is in it. @param image begins as an image does; see `rasterise` */
export async function recognize(
  image: Uint8Array,
  { tesseract, languages }: OcrPrograms,
  isWanted?: WordFilter,
): Promise<ExtractedPage[]> {
  const args = ['-', '-', '-l', languages, '--psm', '3', 'tsv'];
  const tsv = await runProgram(tesseract, args, image, { mostBytes: 64 * 1024 * 1024 });
  return readTsv(tsv.toString(), isWanted);
}
