/**
 *   npm run backup -- FILE
 *
 * Writes everything that the server keeps in its database to a file, with the server's own environment. Embedded: the
 * data folder after a checkpoint, with its secret key; the server must be stopped. PostgreSQL: what pg_dump writes, at
 * any time; SECRET_KEY is not in it.
 */
import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.js';
import type { Config } from '../config.js';
import { lockFolder } from '../platform/database/embedded-database-lock.js';
import { CommandError, openExisting, runCommand, runProgram } from './command.js';
import { runPostgresProgram } from './postgres-programs.js';

const USAGE = 'Usage: npm run backup -- FILE    (FILE must not exist)';

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(USAGE);
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new CommandError(USAGE);
  const file = resolve(given);
  if (existsSync(file)) throw new CommandError(`${file} exists already.`);
  const config = readConfig();
  const temporary = `${file}.${process.pid}.part`;
  try {
    // It holds secrets from its first byte on.
    await writeFile(temporary, '', { flag: 'wx', mode: 0o600 });
    await (config.databaseUrl ? backUpPostgres(config.databaseUrl, temporary) : backUpFolder(config, temporary));
    await finish(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(file);
  const key = config.databaseUrl
    ? 'SECRET_KEY is not in it: keep it elsewhere, what is sealed opens with nothing else.'
    : 'It holds the secret key too: whoever can read it can read everything.';
  console.log(`${file}: ${size} bytes. ${key}`);
});

async function backUpPostgres(databaseUrl: string, file: string): Promise<void> {
  await runPostgresProgram('pg_dump', databaseUrl, ['--format=custom', '--no-owner', `--file=${file}`]);
}

async function backUpFolder(config: Config, file: string): Promise<void> {
  const database = await openExisting(config);
  await database.dataSource.query('CHECKPOINT');
  await database.close();
  const lock = await lockFolder(config.dataDir);
  try {
    const key = existsSync(join(config.dataDir, 'secret.key')) ? ['secret.key'] : [];
    await runProgram('tar', ['-C', config.dataDir, '-czf', file, 'postgres', ...key]);
  } finally {
    await lock.release();
  }
}

/** Nobody finds half a backup under its name, also after a power cut. */
async function finish(temporary: string, file: string): Promise<void> {
  await chmod(temporary, 0o600);
  const handle = await open(temporary, 'r+');
  await handle.sync().finally(() => handle.close());
  await rename(temporary, file);
}
