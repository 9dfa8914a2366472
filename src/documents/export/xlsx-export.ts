import { createReadStream } from 'node:fs';
import { BadRequest, Unavailable } from '../../errors.js';
import type { ChildTask } from '../../platform/extraction/child/work-child.js';
import { ChildFailed } from '../../platform/extraction/child/child-failed.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import type { ResultExport } from './export.types.js';
import { ResultSheets } from './result-sheets.js';
import type { WorkbookRow } from './workbook/workbook.types.js';
import type { WorkbookWriter } from './workbook/workbook-writer.js';

/** How many rows the sheets of a workbook have together, their heads not counted. */
export const MAX_ROWS = 100_000;

/**
 * Results as a workbook with typed cells: texts are never formulas, dates and numbers are no texts.
 * Longer texts than Excel holds in a cell (32,767 UTF-16 units) are cut; days before March 1900 are texts.
 * @returns the bytes of the XLSX file; the first ones when it is whole, so that a refusal comes before them
 * @throws BadRequest, `param` format, where it is too large; Unavailable where its child was ended from outside; the
 * reason of the signal; what the documents throw
 */
export async function* toXlsx(
  writer: WorkbookWriter,
  results: ResultExport,
  task: Pick<ChildTask, 'signal' | 'turn'>,
): AsyncGenerator<Buffer, void, undefined> {
  const sheets = new ResultSheets(results.schema);
  try {
    yield* writer.write({ sheets: sheets.sheets }, rowsOf(results, sheets), task);
  } catch (error) {
    if (!(error instanceof ChildFailed)) throw error;
    if (error.reason === 'timeout' || error.reason === 'out_of_memory') throw tooLarge();
    throw error.reason === 'interrupted'
      ? new Unavailable('The workbook could not be written. Please try again.')
      : error;
  }
}

/**
 * The bytes of `toXlsx` by way of a file: a client that reads slowly must not keep the child that others wait for.
 * @throws as `toXlsx` and `ScratchFolder.write` do
 */
export async function* sendXlsx(
  writer: WorkbookWriter,
  results: ResultExport,
  folder: Pick<ScratchFolder, 'write'>,
  task: Pick<ChildTask, 'signal' | 'turn'>,
): AsyncGenerator<Buffer, void, undefined> {
  const path = await folder.write('workbook.xlsx', toXlsx(writer, results, task), task);
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

async function* rowsOf(
  { documents, isComplete }: ResultExport,
  sheets: ResultSheets,
): AsyncGenerator<WorkbookRow, void, undefined> {
  let count = 0;
  for await (const document of documents) {
    for (const row of sheets.rowsOf(document, isComplete)) {
      count += 1;
      if (count > MAX_ROWS) throw tooLarge();
      yield row;
    }
  }
}

function tooLarge(): BadRequest {
  const way = 'Ask for json or csv, which have no bounds.';
  return new BadRequest(
    `The results are too large for a workbook: all sheets have ${MAX_ROWS} rows at most. ${way}`,
    'format',
  );
}
