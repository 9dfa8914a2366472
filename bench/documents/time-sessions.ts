/**
 * Serves sessions of documents in a process of its own, has many items resolved at once and many documents written as CSV,
 * and prints what it took. The database is that of the environment. `node --expose-gc --import tsx
 * bench/documents/time-sessions.ts ITEMS DOCUMENTS`
 */
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { newId } from '../../src/platform/ids.js';
import { pino } from 'pino';
import pg from 'pg';
import { bearer, callApi, signIn } from '../api.js';
import { percentile } from '../load.js';
import type { Target } from '../load.js';
import type { TimedSessions } from './documents.js';

const VALUES = 20;
const DOCUMENTS_AT_ONCE = 100;
const WARM_UP = 1_000;
const MEBIBYTE = 1024 * 1024;

const SCHEMA = {
  type: 'object',
  properties: {
    lines: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, amount: { type: 'number' } } },
    },
  },
};
const FILL_DOCUMENTS = `
  INSERT INTO documents (id, session_id, tenant_id, owner_id, filename, mime_type, kind, size_bytes, sha256, blob_key, status,
    pages, pages_failed, run, read_run, created_at)
  SELECT d.id, $2, tenant_id, owner_id, d.id || '.pdf', 'application/pdf', 'pdf', 1, '', '', 'ready', 1, '{}', 1, 1, now()
  FROM document_sessions, unnest($1::text[]) AS d (id) WHERE document_sessions.id = $2`;
const FILL_VALUES = `
  INSERT INTO document_values (id, session_id, document_id, path, position, run, proposed_value, confidence, quote, page, bbox,
    origin, extractor, status, version)
  SELECT v.id, $2, v."documentId", v.path, v.position, 1, v.value, 0.5, 'Widgets of steel, 1,234.50 EUR', 1,
    '{0.1,0.2,0.3,0.4}', 'text', 'rules', $3, 1
  FROM jsonb_to_recordset($1::jsonb) AS v (id text, "documentId" text, path text, position integer, value jsonb)`;

const [items = 10_000, documents = 10_000] = process.argv.slice(2).map(Number);
const account = { email: 'bench@localhost', password: newId('usr') };
const config = readConfig({
  ...process.env,
  PORT: '0',
  BOOTSTRAP_ADMIN_EMAIL: account.email,
  BOOTSTRAP_ADMIN_PASSWORD: account.password,
});
const app = await createApp(config, pino({ level: 'silent' }));
try {
  const origin = await app.listen();
  const target = bearer(origin, (await signIn(origin, account)).access_token);
  // Compiles what is measured.
  await resolveAll(target, await fill(target, WARM_UP / VALUES, 'pending'));
  await writeCsv(target, await fill(target, WARM_UP / VALUES, 'extracted'));
  const bulk = await resolveAll(target, await fill(target, items / VALUES, 'pending'));
  const csv = await writeCsv(target, await fill(target, documents, 'extracted'));
  const printed: TimedSessions = { bulk, csv };
  console.log(JSON.stringify(printed));
} finally {
  await app.close();
}

/** A session of so many documents with twenty values each. @returns its id */
async function fill(caller: Target, count: number, status: 'pending' | 'extracted'): Promise<string> {
  const path = '/v1/document-analyzer/sessions';
  const { id } = await callApi<{ id: string }>(caller, {
    method: 'POST',
    path,
    body: { name: 'Bench', schema: SCHEMA },
  });
  const { dataSource } = app.database;
  for (let first = 0; first < count; first += DOCUMENTS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - first) }, () => newId('doc'));
    await dataSource.query(FILL_DOCUMENTS, [ids, id]);
    await dataSource.query(FILL_VALUES, [JSON.stringify(ids.flatMap(valuesOf)), id, status]);
  }
  const pending = status === 'pending' ? count * VALUES : 0;
  const sql = 'UPDATE document_sessions SET document_count = $2, pending_count = $3 WHERE id = $1';
  await dataSource.query(sql, [id, count, pending]);
  return id;
}

function valuesOf(documentId: string): object[] {
  return Array.from({ length: VALUES }, (_, position) => {
    const isName = position % 2 === 0;
    const path = `lines[${Math.floor(position / 2)}].${isName ? 'name' : 'amount'}`;
    return { id: newId('ri'), documentId, path, position, value: isName ? 'Widgets of steel' : 1_234.5 };
  });
}

/** Accepts all that waits in a session. */
async function resolveAll(caller: Target, id: string): Promise<TimedSessions['bulk']> {
  const path = `/v1/document-analyzer/sessions/${id}/review/bulk-resolve`;
  const startedAt = performance.now();
  const { times, result } = await watchStatements(() =>
    callApi<{ remaining: number }>(caller, { method: 'POST', path, body: { action: 'accept', filter: {} } }),
  );
  if (result.remaining > 0) throw new Error(`${result.remaining} items are left.`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, median: percentile(times, 0.5), p99: percentile(times, 0.99), slowest: times.at(-1) ?? 0 };
}

/** Writes a session, and forgets what comes. */
async function writeCsv({ origin, headers }: Target, id: string): Promise<TimedSessions['csv']> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [bytes, most] = [0, before];
  const startedAt = performance.now();
  const response = await fetch(`${origin}/v1/document-analyzer/sessions/${id}/results?format=csv`, { headers });
  if (!response.ok) throw new Error(`The results were answered ${response.status}.`);
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    most = Math.max(most, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, mebibytes: bytes / MEBIBYTE, memory: (most - before) / MEBIBYTE };
}

/** The milliseconds of each statement while something is done, in their order; a connection does one at a time. */
async function watchStatements<T>(work: () => Promise<T>): Promise<{ times: number[]; result: T }> {
  const { prototype } = pg.Client;
  const query = prototype.query as (...args: unknown[]) => unknown;
  const times: number[] = [];
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    const startedAt = performance.now();
    const told = () => times.push(performance.now() - startedAt);
    const last = args.at(-1);
    if (typeof last !== 'function') return (query.apply(this, args) as Promise<unknown>).finally(told);
    return query.apply(this, [...args.slice(0, -1), (...results: unknown[]) => (told(), last(...results))]);
  };
  Object.assign(prototype, { query: watched });
  try {
    const result = await work();
    return { times: times.toSorted((a, b) => a - b), result };
  } finally {
    Object.assign(prototype, { query });
  }
}
