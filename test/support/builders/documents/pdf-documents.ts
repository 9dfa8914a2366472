import { execFileSync } from 'node:child_process';
import PDFDocument from 'pdfkit';
import type { OcrPrograms } from '../../../../src/platform/extraction/extraction.types.js';

type Pdf = InstanceType<typeof PDFDocument>;

/** A PDF file that is written as `draw` says; it has no page before `draw` adds one. */
export async function pdf(draw: (document: Pdf) => void, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, margin: 72, ...options });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  draw(document);
  document.end();
  await new Promise((resolve) => document.once('end', resolve));
  return Buffer.concat(chunks);
}

const SENTENCES = [
  'The station on the northern coast was founded in 1911 and has been staffed ever since.',
  'Its keepers measure the height of the tide every six hours and write it into a book.',
  'Storms have taken the roof three times, and each time it was built again within a year.',
  'Visitors come in summer by the narrow road that follows the river down from the hills.',
];

/** Sentences, as many as are asked for. */
export function prose(sentences: number): string {
  return Array.from({ length: sentences }, (_, index) => SENTENCES[index % SENTENCES.length]).join(' ');
}

/** A report of so many pages: a heading with the page's number, three paragraphs, each page as the last. */
export function report(pages: number): Promise<Buffer> {
  return pdf((document) => {
    for (let number = 1; number <= pages; number += 1) {
      document.addPage();
      document.fontSize(20).text(`Chapter ${number}`).moveDown();
      document.fontSize(11);
      for (let paragraph = 1; paragraph <= 3; paragraph += 1) {
        document.text(`Paragraph ${paragraph} of chapter ${number}. ${prose(12)}`, { align: 'justify' }).moveDown();
      }
    }
  });
}

/** A page of two columns below a title, and a table below them. */
export function columns(): Promise<Buffer> {
  return pdf((document) => {
    document.addPage();
    document.fontSize(24).text('Tides and their keepers', 72, 72);
    document.fontSize(11);
    document.text(`Left begins here. ${prose(6)} Left ends here.`, 72, 130, { width: 215 });
    document.text(`Right begins here. ${prose(6)} Right ends here.`, 325, 130, { width: 215 });
    [
      ['Station', 'Height', 'Year'],
      ['North', '4.21 m', '1911'],
      ['South', '3.87 m', '1924'],
    ].forEach((row, line) => {
      row.forEach((cell, column) => document.text(cell, 72 + column * 150, 500 + line * 18, { lineBreak: false }));
    });
  });
}

/** A page in landscape with this text in large letters. */
export function pageOf(text: string): Promise<Buffer> {
  return pdf(
    (document) =>
      void document
        .addPage({ size: [600, 300] })
        .fontSize(28)
        .text(text),
  );
}

/** The first page of a PDF file as a PNG file, 150 dots an inch. */
export function picture(bytes: Buffer, { pdftoppm }: OcrPrograms): Buffer {
  return execFileSync(pdftoppm as string, ['-png', '-r', '150', '-singlefile', '-'], { input: bytes });
}
