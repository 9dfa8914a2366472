/**
 * Reads pages as far as their text items alone, and up to the values, and prints the milliseconds that a page takes. Scans
 * are read where their programs are installed. `node --import tsx bench/documents/time-pages.ts DOCUMENTS SCANS`
 */
import { extractByRules } from '../../src/documents/rules/extract-by-rules.js';
import { findOcrPrograms } from '../../src/platform/extraction/ocr-programs.js';
import type { OcrPrograms } from '../../src/platform/extraction/extraction.types.js';
import { rasterise, recognize } from '../../src/platform/extraction/pdf/ocr.js';
import { measureTimes } from '../../test/proof/document-extraction/measures/times.js';
import type { SetDocument } from '../../test/proof/document-extraction/set/document.types.js';
import { makeSet } from '../../test/proof/document-extraction/set/make-set.js';
import { readDocument } from '../../test/proof/document-extraction/set/read-document.js';
import { PAGE } from '../../test/proof/document-extraction/set/sheet.js';
import { pdf, picture } from '../../test/support/builders/documents/pdf-documents.js';
import type { TimedPages } from './documents.js';

const SEED = 1;
const [count = 60, scans = 3] = process.argv.slice(2).map(Number);
const documents: SetDocument[] = [];
for await (const made of makeSet({ invoices: count, contracts: count / 5, forms: count / 5 }, SEED))
  documents.push(made);
// Compiles what is measured.
await measureTimes(documents.slice(0, count / 3));
const digital = await measureTimes(documents);
const ocr = await findOcrPrograms();
const printed: TimedPages = { digital, ...(ocr?.pdftoppm && { scan: await timeScans(ocr) }) };
console.log(JSON.stringify(printed));

/** Each in both ways, before the next one. */
async function timeScans(programs: OcrPrograms): Promise<TimedPages['scan']> {
  let [alone, reading] = [0, 0];
  for (const { pdf: bytes, schema } of documents.slice(0, scans)) {
    const scan = await scanOf(bytes, programs);
    const began = performance.now();
    await recognize(await rasterise(scan, { number: 1, ...PAGE }, programs.pdftoppm as string), programs);
    const between = performance.now();
    await extractByRules(schema, await readDocument(scan, programs));
    alone += between - began;
    reading += performance.now() - between;
  }
  return { alone: alone / scans, reading: reading / scans };
}

/** The first page of a file as a picture in a file. */
function scanOf(bytes: SetDocument['pdf'], programs: OcrPrograms): Promise<Buffer> {
  const image = picture(bytes, programs);
  const { width, height } = PAGE;
  return pdf((file) => void file.addPage({ size: [width, height], margin: 0 }).image(image, 0, 0, { width }));
}
