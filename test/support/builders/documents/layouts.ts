import { Readable } from 'node:stream';
import { layOutPage } from '../../../../src/documents/layout/page-layout.js';
import type { LayoutCell, PageLayout } from '../../../../src/documents/layout/layout.types.js';
import { readFile } from '../../../../src/platform/extraction/read-file.js';
import type { FileKind } from '../../../../src/platform/extraction/extraction.types.js';

/** The layouts of a file's pages, read in this process as a child reads them. */
export async function layoutsOf(bytes: Uint8Array | string, kind: FileKind = 'pdf'): Promise<PageLayout[]> {
  const layouts: PageLayout[] = [];
  const task = { kind, wholeFileBytes: 64 * 1024 * 1024 };
  await readFile(task, Readable.from([Buffer.from(bytes)]), async (page) => void layouts.push(layOutPage(page)));
  return layouts;
}

/** The lines of a page, their cells between bars. */
export function linesOf({ lines, text }: PageLayout): string[] {
  return lines.map(({ cells }) => cells.map(({ start, end }: LayoutCell) => text.slice(start, end)).join(' | '));
}
