import { expect, test } from '@jest/globals';
import { layOutPage } from '../../../src/documents/layout/page-layout.js';
import type { ExtractedPage } from '../../../src/platform/extraction/extraction.types.js';
import { layoutsOf, linesOf } from '../../support/builders/documents/layouts.js';
import { pdf } from '../../support/builders/documents/pdf-documents.js';

test('a page of a PDF file is lines of cells, whatever the order of its text', async () => {
  const bytes = await pdf((document) => {
    document.addPage().fontSize(10);
    for (const [index, label] of ['Bill to', 'Jane Miller', 'Mill Lane 4'].entries())
      document.text(label, 72, 100 + index * 16, { lineBreak: false });
    for (const [index, fact] of ['Invoice no.: 17', 'Date: 3 May 2024'].entries())
      document.text(fact, 330, 100 + index * 16, { lineBreak: false });
  });

  const [page] = await layoutsOf(bytes);

  expect(linesOf(page!)).toEqual(['Bill to | Invoice no.: 17', 'Jane Miller | Date: 3 May 2024', 'Mill Lane 4']);
});

test('words have boxes within the box of their stretch, and places in the text', async () => {
  const bytes = await pdf(
    (document) =>
      void document
        .addPage({ size: [600, 300] })
        .fontSize(20)
        .text('Amount due 12.50', 60, 30),
  );

  const [page] = await layoutsOf(bytes);

  const words = page!.lines[0]!.cells[0]!.words;
  expect(words.map(({ start, end }) => page!.text.slice(start, end))).toEqual(['Amount', 'due', '12.50']);
  const boxes = words.map(({ box }) => box!);
  expect(boxes[0]![0]).toBeCloseTo(0.1, 2);
  for (const [index, [left, top, right, bottom]] of boxes.entries()) {
    expect(left).toBeGreaterThan(boxes[index - 1]?.[2] ?? 0);
    expect(right).toBeGreaterThan(left);
    expect(bottom - top).toBeCloseTo(20 / 300, 2);
  }
});

test('numbers that stand close in columns are cells of their own', async () => {
  const bytes = await pdf((document) => {
    document.addPage().fontSize(10);
    document.text('1.502,97', 300, 100, { lineBreak: false });
    document.text('15.781,19', 300 + document.widthOfString('1.502,97') + 6, 100, { lineBreak: false });
  });

  const [page] = await layoutsOf(bytes);

  expect(linesOf(page!)).toEqual(['1.502,97 | 15.781,19']);
});

test('lines of a turned scan are level, and their boxes as the page shows them', () => {
  const slope = 0.03;
  const page = scan([
    ['Subtotal', 0.1, 0.2 + 0.1 * slope],
    ['100.00', 0.8, 0.2 + 0.8 * slope],
    ['Total', 0.1, 0.222 + 0.1 * slope],
    ['119.00', 0.8, 0.222 + 0.8 * slope],
    ['The', 0.1, 0.25 + 0.1 * slope],
    ['sentence', 0.14, 0.25 + 0.14 * slope],
    ['shows', 0.21, 0.25 + 0.21 * slope],
    ['how', 0.27, 0.25 + 0.27 * slope],
    ['lines', 0.308, 0.25 + 0.308 * slope],
    ['fall', 0.365, 0.25 + 0.365 * slope],
  ]);

  const layout = layOutPage(page);

  expect(linesOf(layout)).toEqual(['Subtotal | 100.00', 'Total | 119.00', 'The sentence shows how lines fall']);
  expect(layout.lines[0]!.cells[1]!.words[0]!.box).toEqual(page.boxes![1]!.box);
  expect(layout.lines[0]!.cells[1]!.words[0]!.confidence).toBe(0.9);
});

test('a heading stays one cell where a low word of it stands a little apart', () => {
  const page = scan([
    ['Harbour', 0.1, 0.1],
    ['Ltd', 0.182, 0.1],
  ]);

  expect(linesOf(layOutPage(page))).toEqual(['Harbour Ltd']);
});

test('pages without boxes are lines of their text: rows of tables, and columns of blanks', async () => {
  const [sheet] = await layoutsOf('Invoice no,Total\n17,12.50\n', 'csv');
  const [text] = await layoutsOf('Invoice no     17\nTotal          12.50\n', 'text');

  expect(linesOf(sheet!)).toEqual(['Invoice no | Total', '17 | 12.50']);
  expect(linesOf(text!)).toEqual(['Invoice no | 17', 'Total | 12.50']);
  expect(sheet!.hasBoxes).toBe(false);
});

test('words of a line that is turned have the box of the whole line', () => {
  const box = [0.87, 0.1, 0.885, 0.6] as const;
  const page = { ...scan([]), text: 'Total 119.00', boxes: [{ start: 0, end: 12, box, confidence: 0.9 }] };

  const words = layOutPage(page).lines.flatMap(({ cells }) => cells.flatMap((cell) => cell.words));

  expect(words.map((word) => word.box)).toEqual([box, box]);
});

test('a page of many words is laid out before the test times out', () => {
  const words = Array.from({ length: 20_000 }, (_, index): [string, number, number] => [
    'x',
    (index % 100) / 100,
    Math.floor(index / 100) / 200,
  ]);

  const { lines } = layOutPage(scan(words, 0.004));

  expect(lines).toHaveLength(200);
});

/** A recognized page of words, each with its left edge and top. */
function scan(words: readonly (readonly [string, number, number])[], height = 0.0146): ExtractedPage {
  let text = '';
  const boxes = words.map(([word, left, top]) => {
    const start = text.length;
    text += `${word} `;
    const right = left + word.length * 0.0095;
    return { start, end: start + word.length, box: [left, top, right, top + height] as const, confidence: 0.9 };
  });
  return {
    number: 1,
    origin: 'ocr',
    text,
    blocks: [{ kind: 'paragraph', start: 0, end: text.length }],
    boxes,
    aspect: 1,
  };
}
