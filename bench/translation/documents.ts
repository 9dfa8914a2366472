/**
 * Reads a document and writes it with other texts in a child process, with an engine that takes no time: a workbook of
 * 100 MB unpacked, and a Word document of 2,000 paragraphs. Tells the child's memory at its height, and the server's.
 * `node --import tsx bench/translation/documents.ts`
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Document, Packer, Paragraph, TextRun } from 'docx';
import { pino } from 'pino';
import { DocumentRewriter } from '../../src/translation/documents/document-rewriter.js';
import type { DocumentKind } from '../../src/translation/documents/formats/document-format.js';
import type { ReplacementLine } from '../../src/translation/documents/child/rewriting.types.js';
import type { InlineText } from '../../src/translation/units/inline-text.js';
import { workbookOf } from '../../test/support/builders/documents/rich-office-documents.js';

const MIB = 1024 * 1024;
const ROUNDS = 3;
const rewriter = new DocumentRewriter({ processes: 1, seconds: 300, memoryMib: 512, log: pino({ level: 'silent' }) });
const { signal } = new AbortController();

await measure('docx, 2,000 paragraphs', 'docx', await wordDocument());
await measure('xlsx, 100 MB unpacked', 'xlsx', await workbook());
rewriter.close();

function wordDocument(): Promise<Buffer> {
  const children = Array.from(
    { length: 2_000 },
    (_, index) =>
      new Paragraph({
        children: [
          new TextRun(`Paragraph ${index} tells of the harbour, `),
          new TextRun({ text: 'the tides', bold: true }),
          new TextRun(' and what was seen of them that day.'),
        ],
      }),
  );
  return Packer.toBuffer(new Document({ sections: [{ children }] }));
}

/** 10 MB of strings, and 100 MB of numbers and formulas. */
function workbook(): Promise<Buffer> {
  const strings = Array.from({ length: 250_000 }, (_, index) => `<si><t>Station ${index} at the pier</t></si>`);
  const rows = Array.from(
    { length: 700_000 },
    (_, row) =>
      `<row r="${row + 1}"><c r="A${row + 1}" t="s"><v>${row % 250_000}</v></c><c r="B${row + 1}"><v>${(row * 7919) / 1_000}</v></c><c r="C${row + 1}"><f>B${row + 1}*2</f><v>${row}</v></c></row>`,
  );
  return workbookOf(strings.join(''), rows.join(''));
}

async function measure(name: string, kind: DocumentKind, file: Buffer): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = process.memoryUsage().rss;
    let [child, server] = [0, 0];
    const watch = setInterval(() => {
      for (const pid of rewriter.children.busyPids) child = Math.max(child, heightOf(pid));
      server = Math.max(server, process.memoryUsage().rss - before);
    }, 20);
    const startedAt = performance.now();
    let count = 0;
    const batches: ReplacementLine[][] = [];
    for await (const units of rewriter.read(documentOf(kind, file), signal)) {
      count += units.length;
      batches.push(units.map((unit) => [translated(unit), true]));
    }
    const readAt = performance.now();
    let bytes = 0;
    for await (const chunk of rewriter.write(documentOf(kind, file), Readable.from(batches), signal, () => undefined))
      bytes += chunk.length;
    const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(2);
    clearInterval(watch);
    console.log(
      `${name}, round ${round}: ${count} units, read ${seconds(startedAt, readAt)} s, written ${seconds(readAt, performance.now())} s, ${(file.length / MIB).toFixed(1)} -> ${(bytes / MIB).toFixed(1)} MiB; child ${(child / MIB).toFixed(0)} MiB at its height, server +${(server / MIB).toFixed(0)} MiB`,
    );
  }
}

function documentOf(kind: DocumentKind, file: Buffer) {
  return { kind, targetLanguage: 'de', sizeBytes: file.length, bytes: Readable.from([file]) };
}

function translated(unit: InlineText): InlineText {
  return unit.map((part) => (part.kind === 'text' ? { ...part, text: part.text.toUpperCase() } : part));
}

/** The most memory that a process has had, in bytes. */
function heightOf(pid: number): number {
  try {
    const [, kibibytes = 0] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
