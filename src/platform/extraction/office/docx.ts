import { PieceWriter } from '../piece-writer.js';
import type { FormatReader } from '../read-file.js';
import type { BlockSink } from '../tables/table-writer.js';
import { DocxText } from './docx-text.js';
import { readHeadingLevels } from './docx-styles.js';
import { OfficePackage } from './office-package.js';

type Block = Parameters<BlockSink['add']>;

/**
 * A Word document: headings, paragraphs, lists, tables; the headers of its pages before the text, its notes and the
 * footers of its pages behind it, those that are the same once. It has no pages until it is set.
 */
export const readDocx: FormatReader = async (file, pages) => {
  const office = await OfficePackage.open(file, 'docx');
  const parts = [...(await office.relationships(office.main)).values()];
  const partsOf = (type: string) => parts.filter((part) => part.type === type).map(({ target }) => target);
  const styles = await readHeadingLevels(office, partsOf('styles')[0] ?? '');
  const writer = new PieceWriter(pages);
  const read = async (part: string, sink: BlockSink) => {
    const text = new DocxText(sink, styles);
    await office.read(part, {
      open: (name, attributes) => text.open(name, attributes),
      close: (name) => text.close(name),
      text: (written) => text.text(written),
      pause: () => writer.flush(),
    });
    text.end();
  };
  const told = new Set<string>();
  const readRepeated = async (part: string) => {
    const blocks: Block[] = [];
    await read(part, { add: (...block) => void blocks.push(block) });
    const text = JSON.stringify(blocks);
    if (told.size < told.add(text).size) for (const block of blocks) writer.add(...block);
  };
  for (const part of partsOf('header')) await readRepeated(part);
  for (const part of [office.main, ...partsOf('footnotes'), ...partsOf('endnotes')]) await read(part, writer);
  for (const part of partsOf('footer')) await readRepeated(part);
  await writer.end();
};
