import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { DATABASE } from '../../../src/platform/database/data-folder.js';
import { keepWebAssemblyCode } from '../../../src/platform/web-assembly-code.js';
import { templateFolder } from './database-template.js';

const WORKER = new URL('../../../src/platform/database/embedded-database.worker.ts', import.meta.url);

/** An embedded PostgreSQL that runs from one test file to the next: to start one takes a second, to empty it 50 ms. */
export interface EmbeddedEngine {
  /** The folder of its UNIX socket. */
  readonly socketFolder: string;
  /** The tables, columns, indexes, triggers and functions that it started with. */
  readonly fingerprint: string;
  /** Ends its thread and removes its folder. */
  stop(): Promise<void>;
}

/** Kept on the global object, since each test file loads this module anew. */
const IDLE = Symbol.for('test.embedded-engines');
const idle = ((globalThis as { [IDLE]?: EmbeddedEngine[] })[IDLE] ??= []);

/** Takes an idle engine, or starts one: it is migrated and empty, and nothing else uses it. */
export async function takeEngine(): Promise<EmbeddedEngine> {
  return idle.pop() ?? (await startEngine());
}

/** Gives an engine back; all its clients must be gone. One whose schema a test has changed is stopped. */
export async function returnEngine(engine: EmbeddedEngine): Promise<void> {
  const isClean = await withClient(engine, async (client) => {
    await client.query(EMPTY);
    return (await fingerprintOf(client)) === engine.fingerprint;
  }).catch(() => false);
  if (isClean) idle.push(engine);
  else await engine.stop();
}

async function startEngine(): Promise<EmbeddedEngine> {
  const socketFolder = mkdtempSync(join(tmpdir(), 'engine-'));
  cpSync(templateFolder, socketFolder, { recursive: true });
  keepWebAssemblyCode();
  const workerData = { folder: join(socketFolder, DATABASE), socketPath: join(socketFolder, '.s.PGSQL.5432') };
  const worker = new Worker(WORKER, { workerData, execArgv: [] });
  await once(worker, 'message');
  // The process ends when its tests have; the run's folder is removed after the last of them.
  worker.unref();
  const stop = async () => {
    await worker.terminate();
    rmSync(socketFolder, { recursive: true, force: true });
  };
  const fingerprint = await withClient({ socketFolder }, async (client) => {
    await client.query(KEEP);
    return fingerprintOf(client);
  });
  return { socketFolder, fingerprint, stop };
}

async function withClient<T>(
  { socketFolder }: Pick<EmbeddedEngine, 'socketFolder'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query('ROLLBACK');
    await client.query('DISCARD ALL');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The tables that a test may write to, as `schema.table`. */
const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'kept')`;

/** Copies what migrations have written, to be put back. */
const KEEP = `CREATE SCHEMA kept;
DO $$ DECLARE source record; has_rows boolean; BEGIN
  FOR source IN ${TABLES} LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', source.name) INTO has_rows;
    CONTINUE WHEN NOT has_rows;
    EXECUTE format('CREATE TABLE kept.%I AS TABLE %s', source.name, source.name);
  END LOOP;
END $$`;

/** Drops the tables of vectors and deletes all rows, without triggers and foreign keys, and puts those back that migrations have written. */
const EMPTY = `DO $$ DECLARE source record; has_rows boolean; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR source IN SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'knowledge_vectors_%' LOOP
    EXECUTE format('DROP TABLE %I', source.name);
  END LOOP;
  FOR source IN ${TABLES} LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', source.name) INTO has_rows;
    IF has_rows THEN EXECUTE format('DELETE FROM %s', source.name); END IF;
  END LOOP;
  FOR source IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'kept' LOOP
    EXECUTE format('INSERT INTO %s OVERRIDING SYSTEM VALUE SELECT * FROM kept.%I', source.name, source.name);
  END LOOP;
END $$`;

async function fingerprintOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(FINGERPRINT);
  return (rows[0] as { fingerprint: string }).fingerprint;
}

/** Object ids tell a table that was dropped and made again from the one before; a renamed one keeps its id. */
const FINGERPRINT = `SELECT concat_ws(' ',
  (SELECT md5(string_agg(concat(oid, relname, relnamespace), ' ' ORDER BY oid)) FROM pg_class),
  (SELECT md5(string_agg(concat(attrelid, attname, atttypid, attnotnull), ' ' ORDER BY attrelid, attnum))
    FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped),
  (SELECT md5(string_agg(concat(oid, tgenabled), ' ' ORDER BY oid)) FROM pg_trigger),
  (SELECT md5(string_agg(oid::text, ' ' ORDER BY oid)) FROM pg_constraint),
  (SELECT md5(string_agg(concat(oid, xmin), ' ' ORDER BY oid)) FROM pg_proc),
  (SELECT md5(string_agg(concat(indexrelid, indisvalid), ' ' ORDER BY indexrelid)) FROM pg_index)) AS fingerprint`;
