import { Buffer } from 'node:buffer';
import {
  AlignmentType,
  Bookmark,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Header,
  ImageRun,
  Packer,
  PageNumber,
  Paragraph,
  SimpleField,
  Table,
  TableCell,
  TableOfContents,
  TableRow,
  TextRun,
} from 'docx';
import pptx from 'pptxgenjs';
import { officeFile } from './hostile-documents.js';

/** A PNG file of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A Word document with what translators lose: fields, notes, links, bookmarks, a picture, headers, formats in a line. */
export function richWordDocument(): Promise<Buffer> {
  const line = [
    new TextRun('Read the '),
    new TextRun({ text: 'whole', bold: true }),
    new TextRun(' manual at '),
    new ExternalHyperlink({
      link: 'https://example.org/m',
      children: [new TextRun({ text: 'our site', style: 'Hyperlink' })],
    }),
    new TextRun(' before use'),
    new FootnoteReferenceRun(1),
    new TextRun('.'),
  ];
  const document = new Document({
    footnotes: { 1: { children: [new Paragraph('The note says more.')] } },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('A header')] }) },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [new TextRun({ children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] })],
              }),
            ],
          }),
        },
        children: [
          new TableOfContents('Contents', { hyperlink: true, headingStyleRange: '1-2' }),
          new Paragraph({ children: [new Bookmark({ id: 'start', children: [new TextRun('The beginning')] })] }),
          new Paragraph({ children: line }),
          new Paragraph({
            children: [new TextRun('Made on '), new SimpleField('DATE', '1 May 2026'), new TextRun(' by hand')],
          }),
          new Paragraph({
            children: [
              new TextRun('A picture '),
              new ImageRun({ type: 'png', data: PIXEL, transformation: { width: 9, height: 9 } }),
              new TextRun(' in the line'),
            ],
          }),
          new Table({
            rows: [new TableRow({ children: [new TableCell({ children: [new Paragraph('In a cell')] })] })],
          }),
          new Paragraph('42 %'),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** Slides with formats in a line, a chart, a picture, a table and notes. */
export async function richPresentation(): Promise<Buffer> {
  const show = new (pptx as unknown as typeof pptx.default)();
  const slide = show.addSlide();
  slide.addText(
    [
      { text: 'Twice ' },
      { text: 'a day', options: { bold: true } },
      { text: ' with a link', options: { hyperlink: { url: 'https://example.org' } } },
    ],
    { x: 1, y: 1, w: 8, h: 1 },
  );
  slide.addChart('bar', [{ name: 'Tides', labels: ['North'], values: [4] }], { x: 1, y: 2, w: 4, h: 3 });
  slide.addImage({ data: `image/png;base64,${PIXEL.toString('base64')}`, x: 6, y: 2, w: 1, h: 1 });
  slide.addTable([[{ text: 'A cell' }]], { x: 6, y: 4, w: 2 });
  slide.addNotes('Say it slowly.');
  return (await show.write({ outputType: 'nodebuffer' })) as Buffer;
}

/** A Word document with this in its body. */
export function wordBody(body: string, parts: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const document = `<?xml version="1.0" encoding="UTF-8"?>\n<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`;
  return officeFile('docx', { 'word/document.xml': document, ...parts });
}

/** A workbook with these shared strings, and one sheet with this in its rows. */
export function workbookOf(
  strings: string,
  rows: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`;
  return officeFile('xlsx', {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relationship('r1', 'worksheet', 'worksheets/sheet1.xml')}${relationship('r2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });
}
