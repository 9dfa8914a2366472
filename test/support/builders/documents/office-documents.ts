import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import pptx from 'pptxgenjs';
import writeXlsxFile from 'write-excel-file/node';

/** A Word document with a heading, a list, a table, a footnote and hidden text. */
export function wordDocument(): Promise<Buffer> {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const document = new Document({
    footnotes: { 1: { children: [new Paragraph('Measured at low water.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'Tide tables', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun('The highest tide was '),
              new TextRun({ text: '4.21 m', bold: true }),
              new FootnoteReferenceRun(1),
              new TextRun({ text: 'SECRET', vanish: true }),
            ],
          }),
          new Paragraph({ text: 'Stations', heading: HeadingLevel.HEADING_2 }),
          new Paragraph({ text: 'North', bullet: { level: 0 } }),
          new Paragraph({ text: 'North pier', bullet: { level: 1 } }),
          new Table({
            rows: [
              new TableRow({ children: [cell('Station'), cell('Height')] }),
              new TableRow({ children: [cell('South'), cell('3.87 m')] }),
            ],
          }),
          new Paragraph('The end.'),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** A workbook of two sheets: heights, with a date and a flag, of so many rows below the header; and one for notes. */
export async function workbook(rows = 2): Promise<Buffer> {
  const heights = Array.from({ length: rows }, (_, index) => [
    { value: `Station ${index + 1}` },
    { value: 4.25 + index },
    { value: new Date(Date.UTC(2026, 2, 1)), format: 'yyyy-mm-dd' },
    { value: index % 2 === 0 },
  ]);
  const header = ['Station', 'Height', 'Day', 'Open'].map((value) => ({ value }));
  return writeXlsxFile([
    { data: [header, ...heights], sheet: 'Heights' },
    { data: [[{ value: 'Note' }], [{ value: 'Kept by the keepers' }]], sheet: 'Notes' },
  ]).toBuffer();
}

/** Two slides: a title with bullets and notes, and a table. */
export async function presentation(): Promise<Buffer> {
  // Its types say that this is a module.
  const show = new (pptx as unknown as typeof pptx.default)();
  const first = show.addSlide();
  first.addText('Tides in short', { placeholder: 'title', x: 1, y: 0.5, w: 8, h: 1 });
  first.addText(
    [
      { text: 'Twice a day', options: { bullet: true, breakLine: true } },
      { text: 'Higher in spring', options: { bullet: true } },
    ],
    { x: 1, y: 2, w: 8, h: 2 },
  );
  first.addNotes('Mention the storm of 1911.');
  const cells = (...texts: string[]) => texts.map((text) => ({ text }));
  show.addSlide().addTable([cells('Station', 'Height'), cells('South', '3.87 m')], { x: 1, y: 1, w: 8 });
  return (await show.write({ outputType: 'nodebuffer' })) as Buffer;
}
