import { PieceWriter } from '../piece-writer.js';
import type { FormatReader } from '../read-file.js';
import { DocxText } from './docx-text.js';
import { readHeadingLevels } from './docx-styles.js';
import { OfficePackage } from './office-package.js';

/** A Word document: headings, paragraphs, lists, tables; its notes behind the text. It has no pages until it is set. */
export const readDocx: FormatReader = async (file, pages) => {
  const office = await OfficePackage.open(file, 'docx');
  const parts = [...(await office.relationships(office.main)).values()];
  const partOf = (type: string) => parts.find((part) => part.type === type)?.target ?? '';
  const styles = await readHeadingLevels(office, partOf('styles'));
  const writer = new PieceWriter(pages);
  for (const part of [office.main, partOf('footnotes'), partOf('endnotes')]) {
    const text = new DocxText(writer, styles);
    await office.read(part, text);
    text.end();
  }
  await writer.end();
};
