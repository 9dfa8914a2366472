import { getResolvedPDFJS } from 'unpdf';
import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { PdfPage } from './pdf.types.js';

/** A stretch of text as the file has it; in points from the top left of the page as it is shown. */
export interface TextItem {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Where its letters stand. */
  readonly baseline: number;
  /** Of its font. */
  readonly size: number;
  readonly isRightToLeft: boolean;
  /** False: it is turned. */
  readonly isUpright: boolean;
}

type Matrix = readonly [number, number, number, number, number, number];

/** How far letters reach above and below their line, in parts of their size. */
const ASCENT = 0.8;
const DESCENT = 0.2;

/** The text of a page in the order of the file. @throws ExtractionFailed too_large; what pdf.js throws */
export async function readTextItems(page: PdfPage): Promise<TextItem[]> {
  const { Util } = await getResolvedPDFJS();
  const matrix = page.getViewport({ scale: 1 }).transform;
  const items: TextItem[] = [];
  let characters = 0;
  for await (const { items: part } of page.streamTextContent() as unknown as AsyncIterable<{ items: object[] }>) {
    for (const item of part) {
      if (!('str' in item)) continue;
      const { str, transform, width, dir } = item as { str: string; transform: Matrix; width: number; dir: string };
      characters += str.length;
      if (characters > LIMITS.pageCharacters || items.length > LIMITS.boxes) throw new ExtractionFailed('too_large');
      if (str.trim() !== '')
        items.push(
          place(str, width * page.userUnit, dir === 'rtl', Util.transform(matrix, transform) as unknown as Matrix),
        );
    }
  }
  return items;
}

function place(text: string, width: number, isRightToLeft: boolean, [a, b, c, d, x, y]: Matrix): TextItem {
  const [across, size] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const [toRight, toTop] = [
    [(a / across) * width, (b / across) * width],
    [c / size, d / size],
  ] as const;
  const corners = [-DESCENT, ASCENT].flatMap((part) => [
    [x + toTop[0] * size * part, y + toTop[1] * size * part],
    [x + toRight[0] + toTop[0] * size * part, y + toRight[1] + toTop[1] * size * part],
  ]) as [number, number][];
  const [xs, ys] = [corners.map(([cornerX]) => cornerX), corners.map(([, cornerY]) => cornerY)];
  return {
    text,
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
    baseline: y,
    size,
    isRightToLeft,
    isUpright: a > 0 && Math.abs(b) < a / 10,
  };
}
