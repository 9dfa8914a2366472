/**
 *   npm run restore -- FILE [--force]
 *
 * Brings back what `npm run backup` has written, into the database of the server's environment, while no server runs on
 * it. One that holds something is replaced with --force only; an embedded one stays beside the new one.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { readConfig } from '../../config.js';
import type { Config } from '../../config.js';
import { schema } from '../../domains.js';
import { BLOBS } from '../../platform/blobs/folder-store.js';
import { ConfigError } from '../../platform/config/config.js';
import { openSecretBox } from '../../platform/crypto/open-secret-box.js';
import type { DatabaseConfig } from '../../platform/database/config.js';
import { openDatabase } from '../../platform/database/database.js';
import { lockFolder } from '../../platform/database/embedded-database-lock.js';
import { OperationalError } from '../../platform/operational-error.js';
import { createLog } from '../../platform/telemetry/log.js';
import { CommandError, describeUnusable, readArguments, runProgram } from '../command.js';
import type { CommandIo } from '../command.js';
import { restorePostgres } from '../postgres-restore.js';

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
    await requirePlain(fresh, file);
    await requireOpens({ ...config, dataDir: fresh }, file, stderr);
    const kept = await replace(target, fresh, isThere);
    return ` into ${target}.${kept ? ` What was there before is in ${kept}.` : ''}`;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Opens a restored database and what is sealed in it, before it replaces anything.
 * @throws CommandError where its key is damaged, or another one's
 */
async function requireOpens(config: DatabaseConfig, file: string, stderr: CommandIo['stderr']): Promise<void> {
  const database = await openDatabase(config, schema, createLog('error', stderr));
  try {
    await openSecretBox(config, database.dataSource, schema.sealed ?? []);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof OperationalError)) throw error;
    throw new CommandError(
      `The secret key does not open the database in ${file}: it is damaged, missing or a different one. Nothing was ` +
        'changed. Set SECRET_KEY to the key of the server that was backed up, or restore another backup.',
    );
  } finally {
    await database.close();
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

/**
 * A link would let whoever made the file have the server read, or write, any other file of this machine.
 * @throws CommandError where something is neither a file nor a folder
 */
async function requirePlain(folder: string, file: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const other = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (!other) return;
  const path = relative(folder, join(other.parentPath, other.name));
  throw new CommandError(
    `${file} is not a backup of this platform: it contains ${path}, which is neither a file nor a folder.`,
  );
}
