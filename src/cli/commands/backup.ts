/**
 *   npm run backup -- FILE
 *
 * Writes everything that the server keeps in its database to a file, with the server's own environment. Embedded: the
 * data folder after a checkpoint, with its secret key and the bytes of files; the server must be stopped. PostgreSQL:
 * what pg_dump writes, at any time; neither SECRET_KEY nor the bytes of files are in it.
 */
import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readConfig } from '../../config.js';
import type { Config } from '../../config.js';
import { BLOBS } from '../../platform/blobs/folder-store.js';
import { lockFolder } from '../../platform/database/embedded-database-lock.js';
import { JOB_SCHEMA } from '../../platform/jobs/job-database.js';
import {
  CommandError,
  describeUnusable,
  openExisting,
  readArguments,
  requirePlatform,
  runProgram,
} from '../command.js';
import type { CommandIo } from '../command.js';
import { runPostgresProgram } from '../postgres-programs.js';

const USAGE = 'Usage: npm run backup -- FILE    (FILE must not exist)';

/** Writes a backup of the database to a file. */
export async function backupCommand(io: CommandIo): Promise<void> {
  const given = readArguments(io, USAGE, 1, {});
  if (!given) return;
  const file = resolve(given.positionals[0] ?? '');
  if (existsSync(file)) throw new CommandError(`${file} exists already.`);
  const config = readConfig(io.env);
  const temporary = `${file}.${process.pid}.part`;
  // It holds secrets from its first byte on.
  await writeFile(temporary, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw new CommandError(describeUnusable(dirname(file), error));
  });
  try {
    await (config.databaseUrl ? backUpPostgres(config.databaseUrl, temporary) : backUpFolder(config, temporary, io));
    await finish(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(file);
  io.print(`${file}: ${size} bytes. ${describe(config)}`);
}

/** What a person must know of a backup. */
function describe({ databaseUrl, s3Url }: Config): string {
  const key = databaseUrl
    ? 'SECRET_KEY is not in it: keep it elsewhere, what is sealed opens with nothing else.'
    : 'It holds the secret key too: anyone who can read the file can read all data.';
  if (s3Url) return `${key} The bytes of files are in the bucket of S3_URL, and not in it.`;
  return databaseUrl ? `${key} The bytes of files are in DATA_DIR/blobs of each server, and not in it.` : key;
}

async function backUpPostgres(databaseUrl: string, file: string): Promise<void> {
  await requirePlatform(databaseUrl);
  // What others have in the same database is not ours to read, and their schemas and roles not ours to make.
  const ours = ['--schema=public', `--schema=${JOB_SCHEMA}`, '--extension=*', '--no-owner', '--no-privileges'];
  await runPostgresProgram('pg_dump', databaseUrl, ['--format=custom', ...ours, `--file=${file}`]);
}

async function backUpFolder(config: Config, file: string, io: CommandIo): Promise<void> {
  const database = await openExisting(config, io);
  await database.dataSource.query('CHECKPOINT');
  await database.close();
  const lock = await lockFolder(config.dataDir);
  try {
    const others = ['secret.key', BLOBS].filter((name) => existsSync(join(config.dataDir, name)));
    // A folder on another disk, or a mounted key, may be a link here.
    await runProgram('tar', ['-C', config.dataDir, '--dereference', '-czf', file, 'postgres', ...others]);
  } finally {
    await lock.release();
  }
}

/** Gives the file its name when it is whole and on the disk, so that a power cut leaves no half backup there. */
async function finish(temporary: string, file: string): Promise<void> {
  await chmod(temporary, 0o600);
  const handle = await open(temporary, 'r+');
  await handle.sync().finally(() => handle.close());
  await rename(temporary, file);
}
