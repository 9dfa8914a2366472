import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import type { ResultExport } from '../../../../src/documents/export/export.types.js';
import { WorkbookWriter } from '../../../../src/documents/export/workbook/workbook-writer.js';
import type { WorkbookWriterOptions } from '../../../../src/documents/export/workbook/workbook-writer.js';
import { toXlsx } from '../../../../src/documents/export/xlsx-export.js';

/** A writer with these limits in place of usual ones; it is closed with the block that it is opened in. */
export function openWriter(options: Partial<WorkbookWriterOptions> = {}): WorkbookWriter & Disposable {
  const log = pino({ level: 'silent' });
  const writer = new WorkbookWriter({ processes: 1, seconds: 25, memoryMib: 1_024, log, ...options });
  return Object.assign(writer, { [Symbol.dispose]: () => writer.close() });
}

/** The bytes of a workbook with these results. */
export function workbookOf(
  writer: WorkbookWriter,
  results: ResultExport,
  signal = new AbortController().signal,
): Promise<Buffer> {
  return buffer(Readable.from(toXlsx(writer, results, { signal })));
}
