/**
 * Reads a born-digital PDF file with unpdf alone in this process, and through a child; then scans, where their programs
 * are installed. `node --import tsx bench/extraction.ts [pages]`
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { extractText } from 'unpdf';
import { Extractor } from '../src/platform/extraction/extractor.js';
import { pdf, picture, report } from '../test/support/builders/documents/pdf-documents.js';
import { streamOf } from '../test/support/builders/extraction.js';

const ROUNDS = 3;
const pages = Number(process.argv[2] ?? 300);
const bytes = await report(pages);
const extractor = await Extractor.open(
  {
    extractionProcesses: 2,
    extractionSeconds: 600,
    extractionMemoryMib: 1_024,
    extractionOcrLanguages: undefined,
  },
  pino({ level: 'silent' }),
);

for (let round = 1; round <= ROUNDS; round += 1) {
  await measure(
    `unpdf alone, round ${round}`,
    pages,
    async () => (await extractText(new Uint8Array(bytes))).totalPages,
  );
  await measure(`one child, round ${round}`, pages, () => read(bytes));
  await measure(`two children, round ${round}`, 2 * pages, async () => {
    const [first, second] = await Promise.all([read(bytes), read(bytes)]);
    return first + second;
  });
}
const { ocr } = extractor;
if (ocr?.pdftoppm) {
  const image = picture(bytes, ocr);
  const scan = await pdf((document) => {
    for (let number = 0; number < 5; number += 1) {
      document.addPage({ size: 'LETTER', margin: 0 }).image(image, 0, 0, { width: 612 });
    }
  });
  await measure('scanned pages', 5, () => read(scan));
}
extractor.close();

async function read(file: Uint8Array): Promise<number> {
  let count = 0;
  const options = { kind: 'pdf', signal: new AbortController().signal } as const;
  for await (const { failed } of extractor.extract(streamOf(file), options)) count += failed ? 0 : 1;
  return count;
}

async function measure(name: string, expected: number, run: () => Promise<number>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const count = await run();
  const milliseconds = performance.now() - startedAt;
  delay.disable();
  if (count !== expected) throw new Error(`${name}: ${count} of ${expected} pages`);
  const rate = (count / milliseconds) * 1_000;
  console.log(`${name}: ${rate.toFixed(1)} pages/s, event loop held ${(delay.max / 1e6).toFixed(0)} ms at most`);
}
