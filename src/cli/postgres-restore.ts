import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { JOB_SCHEMA } from '../platform/jobs/job-database.js';
import { CommandError, connectPostgres } from './command.js';
import { runPostgresProgram } from './postgres-programs.js';

/** Where what was there is while a backup is restored in its place. */
const PREVIOUS_SCHEMA = 'before_restore';
/** Where jobs are, while a restore is under way. */
const PREVIOUS_JOB_SCHEMA = `${PREVIOUS_SCHEMA}_${JOB_SCHEMA}`;
/** Holds what is to be dropped: what a restore has replaced, or what an interrupted restore has made. */
const DISCARDED_SCHEMA = `${PREVIOUS_SCHEMA}_discarded`;
const DISCARDED_JOB_SCHEMA = `${DISCARDED_SCHEMA}_${JOB_SCHEMA}`;

/** What a backup has of extensions, and of the schema `public`: they are often a superuser's, and stay as they are. */
const NOT_OURS = /^\d+; \d+ \d+ (EXTENSION - |SCHEMA - public |COMMENT - (EXTENSION |SCHEMA public ))/;
const EXTENSION = /^\d+; \d+ \d+ EXTENSION - (\S+)/gm;

/** Moves what is in a schema to another one, but for what belongs to an extension. */
const MOVES = `
  SELECT format('ALTER %s %s SET SCHEMA %I', kind, name, $2::text) AS statement FROM (
    SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END
      AS kind, oid::regclass::text AS name, 'pg_class'::regclass AS catalog, oid
    FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL
    SELECT 'ROUTINE', oid::regprocedure::text, 'pg_proc'::regclass, oid
    FROM pg_proc WHERE pronamespace = to_regnamespace($1)
    UNION ALL
    SELECT 'TYPE', oid::regtype::text, 'pg_type'::regclass, oid
    FROM pg_type WHERE typnamespace = to_regnamespace($1) AND typtype IN ('d', 'e')
  ) AS objects
  WHERE NOT EXISTS (
    -- Of an extension (e), or of a table that takes it along (a, i).
    SELECT FROM pg_depend WHERE classid = catalog AND objid = oid AND deptype IN ('e', 'a', 'i')
  )`;

/**
 * Restores a backup into a database of PostgreSQL.
 * @param force also where the database holds something, which is replaced
 * @returns the rest of the line that says what was done
 */
export async function restorePostgres(databaseUrl: string, file: string, force: boolean): Promise<string> {
  const list = await runPostgresProgram('pg_restore', databaseUrl, ['--list', file]);
  const database = await connectPostgres(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  try {
    // An earlier run was interrupted, before or after its backup was restored.
    await dropDiscarded(database);
    if (await hasSchema(database, PREVIOUS_SCHEMA)) await putBack(database);
    const isEmpty = await requireReplaceable(database, force);
    await makeExtensions(database, list);
    const listFile = join(folder, 'list');
    await writeFile(
      listFile,
      list
        .split('\n')
        .filter((line) => !NOT_OURS.test(line))
        .join('\n'),
    );
    const whole = ['--single-transaction', '--exit-on-error', '--no-owner', '--clean', '--if-exists'];
    const dbname = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
    const args = [...whole, `--use-list=${listFile}`, `--dbname=${dbname}`, file];
    const restore = () => runPostgresProgram('pg_restore', databaseUrl, args);
    await (isEmpty ? restore() : instead(database, restore));
  } finally {
    await database.destroy();
    await rm(folder, { recursive: true });
  }
  return '. Start the server with the SECRET_KEY that it had.';
}

/** @returns whether the database is empty. @throws CommandError where it may not be replaced */
async function requireReplaceable(database: DataSource, force: boolean): Promise<boolean> {
  const [found] = await database.query<{ tables: number }[]>(
    `SELECT count(*)::integer AS tables FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  if (found?.tables && !force) throw new CommandError('The database is not empty. --force replaces what it holds.');
  const running = await database
    .query<{ alive: number }[]>('SELECT count(*)::integer AS alive FROM processes WHERE alive_until > now()')
    .catch(() => []);
  if (running[0]?.alive) throw new CommandError('Servers are running on this database. Stop them first.');
  return !found?.tables;
}

/** Makes the extensions of a backup that are missing. @throws CommandError where this user may not, or they are not installed */
async function makeExtensions(database: DataSource, list: string): Promise<void> {
  for (const [, name = ''] of list.matchAll(EXTENSION)) {
    await database.query(`CREATE EXTENSION IF NOT EXISTS "${name}"`).catch((error: Error) => {
      throw new CommandError(
        `The backup needs the extension ${name} (${error.message}). Let a superuser make it in the database first: ` +
          `docs/operations.md, PostgreSQL.`,
      );
    });
  }
}

/**
 * Restores beside what is there, and drops that at the end: a later version may have made what the backup does not know,
 * and what fails must change nothing.
 */
async function instead(database: DataSource, restore: () => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await move(tx, 'public', PREVIOUS_SCHEMA);
    await rename(tx, JOB_SCHEMA, PREVIOUS_JOB_SCHEMA);
  });
  try {
    await restore();
  } catch (error) {
    await putBack(database);
    throw error;
  }
  // The backup is restored now. If the drop below fails, the next restore must not put the replaced data back.
  await database.transaction(async (tx) => {
    await tx.query(`ALTER SCHEMA ${PREVIOUS_SCHEMA} RENAME TO ${DISCARDED_SCHEMA}`);
    await rename(tx, PREVIOUS_JOB_SCHEMA, DISCARDED_JOB_SCHEMA);
  });
  await dropDiscarded(database, 'The backup was restored. ');
}

/** @param done what to say first where it fails. @throws CommandError */
async function dropDiscarded(database: DataSource, done = ''): Promise<void> {
  try {
    for (const schema of [DISCARDED_SCHEMA, DISCARDED_JOB_SCHEMA]) {
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    }
  } catch (error) {
    throw new CommandError(
      `${done}What a restore has replaced could not be dropped (${(error as Error).message}): drop the schemas ` +
        `${DISCARDED_SCHEMA} and ${DISCARDED_JOB_SCHEMA} by hand.`,
    );
  }
}

function putBack(database: DataSource): Promise<void> {
  return database.transaction(async (tx) => {
    await move(tx, 'public', DISCARDED_SCHEMA);
    await tx.query(`DROP SCHEMA ${DISCARDED_SCHEMA} CASCADE`);
    await move(tx, PREVIOUS_SCHEMA, 'public');
    await tx.query(`DROP SCHEMA ${PREVIOUS_SCHEMA}`);
    await tx.query(`DROP SCHEMA IF EXISTS ${JOB_SCHEMA} CASCADE`);
    await rename(tx, PREVIOUS_JOB_SCHEMA, JOB_SCHEMA);
  });
}

async function move(tx: Pick<DataSource, 'query'>, from: string, to: string): Promise<void> {
  await tx.query(`CREATE SCHEMA IF NOT EXISTS ${to}`);
  const moves = await tx.query<{ statement: string }[]>(MOVES, [from, to]);
  for (const { statement } of moves) await tx.query(statement);
}

/** Renames a schema where it is there. */
async function rename(tx: Pick<DataSource, 'query'>, from: string, to: string): Promise<void> {
  if (await hasSchema(tx, from)) await tx.query(`ALTER SCHEMA ${from} RENAME TO ${to}`);
}

async function hasSchema(database: Pick<DataSource, 'query'>, name: string): Promise<boolean> {
  const [row] = await database.query<{ there: boolean }[]>(`SELECT to_regnamespace('${name}') IS NOT NULL AS there`);
  return row?.there ?? false;
}
