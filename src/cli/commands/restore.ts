/**
 *   npm run restore -- FILE [--force]
 *
 * Brings back what `npm run backup` has written, into the database of the server's environment, while no server runs on
 * it. One that holds something is replaced with --force only; an embedded one stays beside the new one.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { readConfig } from '../../config.js';
import type { Config } from '../../config.js';
import { schema } from '../../domains.js';
import { BLOBS } from '../../platform/blobs/folder-store.js';
import { openDatabase } from '../../platform/database/database.js';
import { lockFolder } from '../../platform/database/embedded-database-lock.js';
import { JOB_SCHEMA } from '../../platform/jobs/job-database.js';
import { createLog } from '../../platform/telemetry/log.js';
import { CommandError, connectPostgres, describeUnusable, readArguments, runProgram } from '../command.js';
import type { CommandIo } from '../command.js';
import { runPostgresProgram } from '../postgres-programs.js';

/** Where the tables are while others are restored in their place. */
const PREVIOUS_SCHEMA = 'before_restore';
/** Where jobs are, while a restore is under way. */
const PREVIOUS_JOB_SCHEMA = `${PREVIOUS_SCHEMA}_${JOB_SCHEMA}`;
/** The folders of a backup of an embedded database. */
const FOLDERS = new RegExp(`^(postgres|${BLOBS})/`);
const USAGE = 'Usage: npm run restore -- FILE [--force]';

/** Replaces the database with that of a backup. */
export async function restoreCommand(io: CommandIo): Promise<void> {
  const given = readArguments(io, USAGE, 1, { force: { type: 'boolean', default: false } });
  if (!given) return;
  const { values, positionals } = given;
  const file = resolve(positionals[0] ?? '');
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new CommandError(describeUnusable(file, error));
  });
  const config = readConfig(io.env);
  const restored = await (config.databaseUrl
    ? restorePostgres(config.databaseUrl, file, values.force)
    : restoreFolder(config, file, values.force, io));
  io.print(`Restored from ${file}${restored}`);
}

/** @returns the rest of the line that says what was done */
async function restorePostgres(databaseUrl: string, file: string, force: boolean): Promise<string> {
  await runPostgresProgram('pg_restore', databaseUrl, ['--list', file]);
  const database = await connectPostgres(databaseUrl);
  try {
    // An earlier run was broken off between the two.
    if (await hasSchema(database, PREVIOUS_SCHEMA)) await putBack(database);
    const [found] = await database.query<{ tables: number }[]>(
      `SELECT count(*)::integer AS tables FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    if (found?.tables && !force) throw new CommandError('The database is not empty. --force replaces what it holds.');
    const running = await database
      .query<{ alive: number }[]>('SELECT count(*)::integer AS alive FROM processes WHERE alive_until > now()')
      .catch(() => []);
    if (running[0]?.alive) throw new CommandError('Servers are running on this database. Stop them first.');
    const whole = ['--single-transaction', '--exit-on-error', '--no-owner', '--clean', '--if-exists'];
    const dbname = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
    const restore = () => runPostgresProgram('pg_restore', databaseUrl, [...whole, `--dbname=${dbname}`, file]);
    await (found?.tables ? instead(database, restore) : restore());
  } finally {
    await database.destroy();
  }
  return '. Start the server with the SECRET_KEY that it had.';
}

/**
 * Restores beside what is there, and drops that at the end: a later version may have made what the backup does not know,
 * and what fails must change nothing.
 */
async function instead(database: DataSource, restore: () => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(`ALTER SCHEMA public RENAME TO ${PREVIOUS_SCHEMA}`);
    if (await hasSchema(tx, JOB_SCHEMA)) {
      await tx.query(`ALTER SCHEMA ${JOB_SCHEMA} RENAME TO ${PREVIOUS_JOB_SCHEMA}`);
    }
    await tx.query('CREATE SCHEMA public');
    await tx.query('GRANT USAGE ON SCHEMA public TO PUBLIC');
  });
  try {
    await restore();
  } catch (error) {
    await putBack(database);
    throw error;
  }
  await database.query(`DROP SCHEMA ${PREVIOUS_SCHEMA} CASCADE`);
  await database.query(`DROP SCHEMA IF EXISTS ${PREVIOUS_JOB_SCHEMA} CASCADE`);
}

function putBack(database: DataSource): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.query('DROP SCHEMA public CASCADE');
    await tx.query(`ALTER SCHEMA ${PREVIOUS_SCHEMA} RENAME TO public`);
    await tx.query(`DROP SCHEMA IF EXISTS ${JOB_SCHEMA} CASCADE`);
    if (await hasSchema(tx, PREVIOUS_JOB_SCHEMA)) {
      await tx.query(`ALTER SCHEMA ${PREVIOUS_JOB_SCHEMA} RENAME TO ${JOB_SCHEMA}`);
    }
  });
}

async function hasSchema(database: Pick<DataSource, 'query'>, name: string): Promise<boolean> {
  const [row] = await database.query<{ there: boolean }[]>(`SELECT to_regnamespace('${name}') IS NOT NULL AS there`);
  return row?.there ?? false;
}

/** @returns as `restorePostgres` does */
async function restoreFolder(config: Config, file: string, force: boolean, { stderr }: CommandIo): Promise<string> {
  const target = resolve(config.dataDir);
  const isThere = existsSync(target) && (await readdir(target)).some((name) => !name.startsWith('lock.'));
  if (isThere && !force) throw new CommandError(`${target} is not empty. --force replaces it.`);
  await requireArchive(file);
  const fresh = `${target}.${process.pid}.part`;
  try {
    await mkdir(dirname(target), { recursive: true });
    await mkdir(fresh, { mode: 0o700 });
    await runProgram('tar', ['-C', fresh, '-xzf', file, '--no-same-owner']);
    // It is opened once before anything is replaced.
    const database = await openDatabase({ ...config, dataDir: fresh }, schema, createLog('error', stderr));
    await database.close();
    const kept = await replace(target, fresh, isThere);
    return ` into ${target}.${kept ? ` What was there before is in ${kept}.` : ''}`;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** @returns where the folder is now that was there before */
async function replace(target: string, fresh: string, isThere: boolean): Promise<string | undefined> {
  if (!isThere) {
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target);
    return undefined;
  }
  const lock = await lockFolder(target).catch((error: Error) => {
    throw new CommandError(error.message);
  });
  await lock.release();
  const kept = `${target}.before-${new Date().toISOString().replaceAll(':', '-')}`;
  await rename(target, kept);
  await rename(fresh, target);
  return kept;
}

/** @throws CommandError for a file that is damaged, or no backup of ours */
async function requireArchive(file: string): Promise<void> {
  const names = await runProgram('tar', ['-tzf', file]).catch(() => {
    throw new CommandError(`${file} is damaged, or no backup of an embedded database.`);
  });
  const isOurs = names
    .trim()
    .split('\n')
    .every((name) => name === 'secret.key' || (FOLDERS.test(name) && !name.includes('..')));
  if (!isOurs || !names.includes('postgres/PG_VERSION')) {
    throw new CommandError(`${file} is no backup of an embedded database.`);
  }
}
