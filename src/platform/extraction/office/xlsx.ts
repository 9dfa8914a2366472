import { ExtractionFailed } from '../extraction-failed.js';
import type { FailureReason } from '../extraction.types.js';
import { PieceWriter } from '../piece-writer.js';
import type { FormatReader } from '../read-file.js';
import { readMergedCells } from './merged-cells.js';
import { OfficePackage } from './office-package.js';
import { readSharedStrings } from './shared-strings.js';
import { readDateStyles } from './spreadsheet-dates.js';
import { SheetRows } from './sheet-rows.js';

/** A workbook: each sheet is a page, or several pieces of one; its rows are lines under the first one. */
export const readXlsx: FormatReader = async (file, pages) => {
  const office = await OfficePackage.open(file, 'xlsx');
  const relationships = await office.relationships(office.main);
  const partOf = (type: string) => [...relationships.values()].find((part) => part.type === type)?.target ?? '';
  const { sheets, startsIn1904 } = await readWorkbook(office);
  const strings = await readSharedStrings(office, partOf('sharedStrings'));
  const dateStyles = await readDateStyles(office, partOf('styles'));
  const writer = new PieceWriter(pages);
  for (const [index, { id, title }] of sheets.entries()) {
    const { type, target = '' } = relationships.get(id) ?? {};
    // A sheet with nothing but a chart has no cells.
    if (type !== 'worksheet') continue;
    writer.head = { number: index + 1, title };
    try {
      const merged = await readMergedCells(office, target);
      const rows = new SheetRows(writer, { strings, dateStyles, startsIn1904 }, merged);
      await office.read(target, rows);
      rows.end();
      await writer.end(true);
    } catch (error) {
      const reason = failureOf(error);
      await writer.end();
      await pages.fail(index + 1, reason);
    }
  }
};

/** Why one part could not be read. @throws what concerns the whole file */
export function failureOf(error: unknown): FailureReason {
  if (error instanceof ExtractionFailed && (error.reason === 'malformed' || error.reason === 'too_large')) {
    return error.reason;
  }
  throw error;
}

async function readWorkbook(office: OfficePackage): Promise<{
  readonly sheets: readonly { readonly id: string; readonly title: string }[];
  readonly startsIn1904: boolean;
}> {
  const sheets: { id: string; title: string }[] = [];
  let startsIn1904 = false;
  await office.read(office.main, {
    open: (name, attributes) => {
      if (name === 'sheet') sheets.push({ id: attributes['r:id'] ?? '', title: attributes['name'] ?? '' });
      else if (name === 'workbookPr') startsIn1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
    },
  });
  return { sheets, startsIn1904 };
}
