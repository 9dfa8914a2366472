import { getResolvedPDFJS } from 'unpdf';
import type { PdfPage } from './pdf.types.js';

type Matrix = readonly number[];

/** How many drawing operations are looked at. */
const OPERATIONS = 100_000;

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The part of a page that images cover, 0–1; where they lie above one another, too much. */
export async function coveredShare(page: PdfPage): Promise<number> {
  const { OPS, Util } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const images = new Set([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject]);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const whole = (right - left) * (top - bottom);
  const stack: Matrix[] = [];
  let matrix = IDENTITY;
  let covered = 0;
  for (const [index, operation] of fnArray.slice(0, OPERATIONS).entries()) {
    const args = (argsArray as unknown[])[index];
    if (operation === OPS.save) stack.push(matrix);
    else if (operation === OPS.restore) matrix = stack.pop() ?? IDENTITY;
    else if (operation === OPS.transform) matrix = Util.transform(matrix, args);
    else if (operation === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      const [form] = args as [Matrix | null];
      if (form) matrix = Util.transform(matrix, form);
    } else if (operation === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? IDENTITY;
    // An image is a square of size 1.
    else if (images.has(operation)) covered += areaOf(matrix);
  }
  return Math.min(1, covered / whole || 0);
}

function areaOf([a = 0, b = 0, c = 0, d = 0]: Matrix): number {
  return Math.abs(a * d - b * c);
}
