import { orNotStarted } from './child/not-started.js';
import type { ExtractedPage, ExtractionTask, FileKind } from './extraction.types.js';
import { FileInput } from './file-input.js';
import { PageSink } from './page-sink.js';

/** Reads a file of one format. */
export type FormatReader = (file: FileInput, pages: PageSink, task: ExtractionTask) => Promise<void>;

/** Loaded when they are needed: together they take 100 ms and 40 MiB. */
const READERS: Readonly<Record<FileKind, () => Promise<FormatReader>>> = {
  pdf: async () => (await import('./pdf/pdf.js')).readPdf,
  image: async () => (await import('./pdf/image.js')).readImage,
  docx: async () => (await import('./office/docx.js')).readDocx,
  xlsx: async () => (await import('./office/xlsx.js')).readXlsx,
  pptx: async () => (await import('./office/pptx.js')).readPptx,
  html: async () => (await import('./formats/html.js')).readHtml,
  markdown: async () => (await import('./formats/markdown.js')).readMarkdown,
  csv: async () => (await import('./formats/csv.js')).readCsv,
  text: async () => (await import('./formats/plain-text.js')).readPlainText,
};

/** Does one task of the child: reads the file, and gives its pages. @throws ExtractionFailed */
export async function readFile(
  task: unknown,
  input: AsyncIterable<Uint8Array>,
  emit: (page: ExtractedPage) => Promise<void>,
): Promise<void> {
  const extraction = task as ExtractionTask;
  const read = await orNotStarted(READERS[extraction.kind]());
  const pages = new PageSink(emit);
  await read(new FileInput(input, extraction.wholeFileBytes), pages, extraction);
  pages.finish();
}
