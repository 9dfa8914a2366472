/**
 * Exports the results of invoices in every form: how long it takes, what it adds to the memory of this process, and how long
 * it holds the event loop at most. `node --expose-gc --import tsx bench/documents/exports.ts [documents]`
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { toCsv } from '../../src/documents/export/csv-export.js';
import type { ExportedDocument, ResultExport } from '../../src/documents/export/export.types.js';
import { toJson } from '../../src/documents/export/json-export.js';
import { WorkbookWriter } from '../../src/documents/export/workbook/workbook-writer.js';
import { MAX_ROWS, toXlsx } from '../../src/documents/export/xlsx-export.js';
import type { FieldValue } from '../../src/documents/schema/field-value.js';
import { parseSchema } from '../../src/documents/schema/schema-parser.js';
import { TEMPLATES } from '../../src/documents/schema/templates.js';
import { resultOf } from '../../test/support/builders/documents/results.js';

const ROUNDS = 3;
const LINES = 5;
/** As many as a page of a query has. */
const PAGE = 100;
const count = Number(process.argv[2] ?? 10_000);
const rowsOfDocument = 1 + LINES + invoice(0).fields.length;
const writer = new WorkbookWriter({ processes: 1, seconds: 300, memoryMib: 1_536, log: pino({ level: 'silent' }) });

for (let round = 1; round <= ROUNDS; round += 1) {
  await measure(`CSV of ${count} documents, round ${round}`, toCsv(resultsOf(count)));
  await measure(`JSON of ${count} documents, round ${round}`, toJson(resultsOf(count)));
  const whole = Math.floor(MAX_ROWS / rowsOfDocument);
  const { signal } = new AbortController();
  const workbook = toXlsx(writer, resultsOf(whole), { signal });
  await measure(`XLSX of ${whole} documents, ${whole * rowsOfDocument} rows, round ${round}`, workbook);
}
writer.close();

function resultsOf(documents: number): ResultExport {
  return { schema: parseSchema(TEMPLATES.invoice), isComplete: true, documents: invoices(documents) };
}

async function* invoices(documents: number): AsyncGenerator<ExportedDocument, void, undefined> {
  for (let index = 0; index < documents; index += 1) {
    // Where the database would be asked.
    if (index % PAGE === 0) await setImmediate();
    yield invoice(index);
  }
}

function invoice(index: number): ExportedDocument {
  const values: Record<string, FieldValue> = {
    invoice_number: `INV-2026-${index}`,
    invoice_date: '2026-03-01',
    currency: 'EUR',
    'supplier.name': 'Größe & Söhne GmbH',
    'supplier.vat_id': 'DE136695976',
    net_amount: 100 + index,
    tax_amount: 19,
    total_amount: 119 + index,
  };
  for (let line = 0; line < LINES; line += 1) {
    values[`line_items[${line}].description`] = `Article ${index % 97}, ${line}`;
    values[`line_items[${line}].quantity`] = line + 1;
    values[`line_items[${line}].unit_price`] = 12.5;
    values[`line_items[${line}].amount`] = 12.5 * (line + 1);
  }
  return resultOf(values, { id: `doc_${index}` });
}

async function measure(name: string, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let [bytes, most] = [0, before];
  const startedAt = performance.now();
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    most = Math.max(most, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const mebibytes = (value: number) => `${(value / 1024 / 1024).toFixed(1)} MiB`;
  const held = `${(delay.max / 1e6).toFixed(0)} ms`;
  console.log(
    `${name}: ${seconds.toFixed(2)} s, ${mebibytes(bytes)}, memory +${mebibytes(most - before)}, held ${held}`,
  );
}
