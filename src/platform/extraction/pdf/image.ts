import { imageSize } from 'image-size';
import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { FormatReader } from '../read-file.js';
import { recognize } from './ocr.js';

/** The formats that tesseract is given. What is none of them would be a list of files to it. */
const FORMATS = new Set(['png', 'jpg', 'tiff', 'webp']);

/** The text that is recognized in an image, and in each of those of a TIFF file. */
export const readImage: FormatReader = async (file, pages, { ocr }) => {
  if (!ocr) throw new ExtractionFailed('ocr_missing');
  const image = await file.whole();
  const { width, height, type } = measure(image);
  if (!FORMATS.has(type ?? '')) throw new ExtractionFailed('malformed');
  if (width * height > LIMITS.pixels) throw new ExtractionFailed('too_large');
  for (const page of await recognize(image, ocr)) await pages.give(page);
};

function measure(image: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(image);
  } catch {
    throw new ExtractionFailed('malformed');
  }
}
