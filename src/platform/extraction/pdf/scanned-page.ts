import { getResolvedPDFJS } from 'unpdf';
import type { PdfPage } from './pdf.types.js';

type Matrix = readonly number[];

/** An image that covers this part of a page makes it a scan. */
const COVERED = 0.5;

/** How many drawing operations are looked at. */
const OPERATIONS = 100_000;

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Whether images cover most of a page: then it is a scan, if it has no text. */
export async function isScanned(page: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
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
    else if (operation === OPS.transform) matrix = multiply(matrix, args as Matrix);
    else if (operation === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      const [form] = args as [Matrix | null];
      if (form) matrix = multiply(matrix, form);
    } else if (operation === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? IDENTITY;
    // An image is a square of size 1.
    else if (images.has(operation)) covered += areaOf(matrix);
  }
  return covered >= whole * COVERED;
}

function areaOf([a = 0, b = 0, c = 0, d = 0]: Matrix): number {
  return Math.abs(a * d - b * c);
}

function multiply(m: Matrix, n: Matrix): Matrix {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = m;
  const [g = 0, h = 0, i = 0, j = 0, k = 0, l = 0] = n;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
