import { setTimeout as sleep } from 'node:timers/promises';
import type { PageTimes } from '../../test/proof/document-extraction/measures/times.js';
import { callApi } from '../api.js';
import { gateway } from '../contenders.js';
import type { Environment } from '../environment.js';
import type { Target } from '../load.js';
import { residentKib } from '../processes.js';
import type { Figure, Section } from '../section.js';

const FULL = { pages: 60, scans: 5, items: 10_000, documents: 10_000, files: 50 };
const QUICK = { pages: 30, scans: 2, items: 10_000, documents: 1_000, files: 50 };
const FILE_BYTES = 10 * 1024 * 1024;
const SAMPLE_MS = 10;

/** What a page takes, in milliseconds. */
export interface TimedPages {
  readonly digital: PageTimes;
  /** Undefined: the programs are not installed. */
  readonly scan?: { readonly alone: number; readonly reading: number };
}

/** What many items and documents take. */
export interface TimedSessions {
  /** In all, in seconds, and of their statements, in milliseconds. */
  readonly bulk: Readonly<Record<'seconds' | 'median' | 'p99' | 'slowest', number>>;
  readonly csv: Readonly<Record<'seconds' | 'mebibytes' | 'memory', number>>;
}

/** How fast documents are read, reviewed and written, and what large uploads take of memory. */
export function documents(environment: Environment, isQuick: boolean): Section {
  const size = isQuick ? QUICK : FULL;
  return {
    name: 'documents',
    title: 'The Document Analyzer',
    about: `Digital pages are invoices, contracts and forms, read in one process: × is the share of the text items that the PDF
library gives. A scanned page is read as the rasteriser and tesseract alone read it, and then up to the values; without these
programs there is no row. ${size.files} files of 10 MiB are sent in one request, after one of five; memory is that of the server while they
come. ${size.items.toLocaleString('en')} items are accepted by one filter. ${size.documents.toLocaleString('en')} documents with 20 values each are written from the database as CSV. A
statement is timed from its client.`,
    columns: ['embedded', 'PostgreSQL'],
    measure: async (name) => {
      const column = name as 'embedded' | 'PostgreSQL';
      return [
        ...(column === 'embedded' ? await pageFigures(environment, size) : []),
        ...(await uploadFigures(environment, column, size.files)),
        ...(await sessionFigures(environment, column, size)),
      ];
    },
  };
}

async function pageFigures(environment: Environment, { pages, scans }: typeof FULL): Promise<Figure[]> {
  const printed = await environment.processes.run({
    args: ['--import', 'tsx', 'bench/documents/time-pages.ts', String(pages), String(scans)],
    logFile: environment.path('pages.log'),
    underTest: 'on all cores',
  });
  const { digital, scan }: TimedPages = JSON.parse(printed);
  const { items, reading, rules } = digital;
  if (!scan) console.log('documents: without tesseract and pdftoppm, no scans');
  return [
    { row: 'digital page: text items alone, ms', value: items },
    { row: 'digital page: words, lines and cells, ms', value: reading },
    { row: 'digital page: values, ms', value: rules },
    {
      row: 'digital page up to its values, × of its text items',
      value: (reading + rules) / items,
      reach: { atMost: 3 },
    },
    ...(scan
      ? [
          { row: 'scanned page: rasteriser and tesseract alone, ms', value: scan.alone },
          { row: 'scanned page up to its values, ×', value: scan.reading / scan.alone, reach: { atMost: 1.3 } },
        ]
      : []),
  ];
}

async function uploadFigures(
  environment: Environment,
  database: 'embedded' | 'PostgreSQL',
  files: number,
): Promise<Figure[]> {
  const running = await gateway(environment, 'this server', { database, onAllCores: true }).start();
  try {
    const { target, server } = running;
    const body = { name: 'Bench', template: 'invoice' };
    const { id } = await callApi<{ id: string }>(target, {
      method: 'POST',
      path: '/v1/document-analyzer/sessions',
      body,
    });
    await send(target, id, files / 10);
    const before = residentKib(server.pid);
    let most = before;
    const ended = new AbortController();
    const watching = watch(ended.signal, () => {
      most = Math.max(most, residentKib(server.pid));
    });
    const startedAt = performance.now();
    await send(target, id, files);
    const seconds = (performance.now() - startedAt) / 1_000;
    ended.abort();
    await watching;
    return [
      { row: `${files} files of 10 MiB: extra memory, MiB`, value: (most - before) / 1024, reach: { below: 64 } },
      { row: `${files} files of 10 MiB, s`, value: seconds },
    ];
  } finally {
    await running.stop();
  }
}

async function watch(signal: AbortSignal, look: () => void): Promise<void> {
  while (!signal.aborted) {
    look();
    await sleep(SAMPLE_MS);
  }
}

/** Sends files that begin as PDF files, and are none: reading them takes nothing. */
async function send({ origin, headers }: Target, sessionId: string, count: number): Promise<void> {
  const file = new Blob([`%PDF-1.7\n${'x'.repeat(FILE_BYTES - 9)}`]);
  const form = new FormData();
  for (let index = 0; index < count; index += 1) form.append('file', file, `${index}.pdf`);
  const url = `${origin}/v1/document-analyzer/sessions/${sessionId}/documents`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  if (response.status !== 202) throw new Error(`Files were answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
}

async function sessionFigures(
  environment: Environment,
  database: 'embedded' | 'PostgreSQL',
  size: typeof FULL,
): Promise<Figure[]> {
  const place = await environment.dataPlace(database);
  try {
    const [items, rows] = [size.items, size.documents];
    const printed = await environment.processes.run({
      args: ['--expose-gc', '--import', 'tsx', 'bench/documents/time-sessions.ts', String(items), String(rows)],
      // With PostgreSQL, files need a folder, too.
      env: { DATA_DIR: environment.path('data'), ...place.settings },
      logFile: environment.path('sessions.log'),
      underTest: 'on all cores',
    });
    const { bulk, csv }: TimedSessions = JSON.parse(printed);
    const isTarget = database === 'embedded';
    return [
      { row: `${items} items resolved, s`, value: bulk.seconds, reach: isTarget ? { atMost: 10 } : undefined },
      { row: 'their statements: p50, ms', value: bulk.median },
      { row: 'their statements: p99, ms', value: bulk.p99 },
      { row: 'their slowest statement, ms', value: bulk.slowest, reach: isTarget ? { atMost: 10 } : undefined },
      { row: `${rows} documents as CSV, s`, value: csv.seconds, reach: { atMost: 3 } },
      { row: 'the CSV, MiB', value: csv.mebibytes },
      { row: 'extra memory for the CSV, MiB', value: csv.memory },
    ];
  } finally {
    await place.remove();
  }
}
