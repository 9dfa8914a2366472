import { PieceWriter } from '../piece-writer.js';
import type { PageSink } from '../page-sink.js';
import type { FormatReader } from '../read-file.js';
import { OfficePackage } from './office-package.js';
import { SlideText } from './slide-text.js';
import { failureOf } from './xlsx.js';

/** A presentation: each slide is a page, with its notes behind what it shows. */
export const readPptx: FormatReader = async (file, pages) => {
  const office = await OfficePackage.open(file, 'pptx');
  const relationships = await office.relationships(office.main);
  const slides: string[] = [];
  await office.read(office.main, {
    open: (name, attributes) => {
      if (name === 'sldId') slides.push(relationships.get(attributes['r:id'] ?? '')?.target ?? '');
    },
  });
  for (const [index, part] of slides.entries()) {
    try {
      await readSlide(office, part, { pages, number: index + 1 });
    } catch (error) {
      await pages.fail(index + 1, failureOf(error));
    }
  }
};

async function readSlide(
  office: OfficePackage,
  part: string,
  { pages, number }: { readonly pages: PageSink; readonly number: number },
): Promise<void> {
  const writer = new PieceWriter(pages, { number });
  const slide = new SlideText(writer, 'slide');
  await office.read(part, slide);
  const notes = [...(await office.relationships(part)).values()].find(({ type }) => type === 'notesSlide');
  if (notes) await office.read(notes.target, new SlideText(writer, 'notes'));
  writer.head = { number, title: slide.title };
  await writer.end(true);
}
