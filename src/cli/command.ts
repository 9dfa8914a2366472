import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { inspect, parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import { schema } from '../domains.js';
import { ConfigError } from '../platform/config/config.js';
import { DATABASE } from '../platform/database/data-folder.js';
import { openDatabase } from '../platform/database/database.js';
import type { Database } from '../platform/database/database.js';
import { explainFailedConnection } from '../platform/database/failed-connection.js';
import { startEmbeddedServer } from '../platform/database/embedded-database.js';
import type { StartEmbeddedServer } from '../platform/database/embedded-database.js';
import { createLog } from '../platform/telemetry/log.js';
import { OperationalError, systemCode } from '../platform/operational-error.js';

/** What a command uses of the process that it runs in. */
export interface CommandIo {
  /** What stands behind the command's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
  /** Writes a line to standard output. */
  print(line: string): void;
  /** How the embedded database of the environment is started. */
  readonly startEmbedded: StartEmbeddedServer;
}

/** A command line tool. @throws CommandError, and the errors of what it uses */
export type Command = (io: CommandIo) => Promise<void>;

/** A problem whose message says all: it is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command with the arguments, the environment and the streams of this process, and sets its exit code. */
export async function runProcess(command: Command): Promise<void> {
  process.exitCode = await runCommand(command, {
    args: process.argv.slice(2),
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    stderr: process.stderr,
    print: console.log,
    startEmbedded: startExistingServer,
  });
}

/** Runs a command, and writes what it throws to standard error. @returns the exit code */
export async function runCommand(command: Command, io: CommandIo): Promise<number> {
  try {
    await command(io);
    return 0;
  } catch (error) {
    io.stderr.write(`${describe(error, io)}\n`);
    return 1;
  }
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Arguments<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own; allowPositionals: true }>>;

/**
 * Reads the arguments of a command.
 * @param count how many there must be beside the options
 * @returns undefined where they ask for help, which is given
 * @throws CommandError that tells the usage
 */
export function readArguments<Own extends Options>(
  io: CommandIo,
  usage: string,
  count: number,
  options: Own,
): Arguments<Own> | undefined {
  let given: Arguments<Own & typeof HELP>;
  try {
    given = parseArgs({ args: [...io.args], options: { ...options, ...HELP }, allowPositionals: true });
  } catch (error) {
    // What follows the first sentence is about arguments that look like options.
    throw new CommandError(`${(error as Error).message.split('. ')[0]}. ${usage}`);
  }
  if ((given.values as { readonly help?: boolean }).help) return void io.print(usage);
  if (given.positionals.length !== count) throw new CommandError(usage);
  return given as Arguments<Own>;
}

/**
 * Starts the embedded database of a data folder.
 * @throws CommandError where the folder has no database; a server would create one
 */
export const startExistingServer: StartEmbeddedServer = async (dataDir, log) => {
  if (!existsSync(join(dataDir, DATABASE))) {
    throw new CommandError(
      `There is no database in ${resolve(dataDir)}. Set DATA_DIR or DATABASE_URL as the server has it.`,
    );
  }
  return startEmbeddedServer(dataDir, log);
};

/** Opens the database of the server's environment. @throws CommandError where it is missing, or cannot be opened */
export async function openExisting(config: Config, { stderr, startEmbedded }: CommandIo): Promise<Database> {
  if (config.databaseUrl !== undefined) await requirePlatform(config.databaseUrl);
  return openDatabase(config, schema, createLog('error', stderr), startEmbedded).catch((error: Error) => {
    throw new CommandError(error.message);
  });
}

/** Connects to a PostgreSQL server as it is. @throws CommandError where it cannot be used */
export async function connectPostgres(databaseUrl: string): Promise<DataSource> {
  return new DataSource({ type: 'postgres', url: databaseUrl }).initialize().catch((error: unknown) => {
    throw new CommandError((explainFailedConnection(databaseUrl, error) as Error).message);
  });
}

/**
 * Makes sure that a database is one that a server has used: opening would make its tables in any other.
 * @throws CommandError where it is not, or cannot be used
 */
export async function requirePlatform(databaseUrl: string): Promise<void> {
  const database = await connectPostgres(databaseUrl);
  try {
    const [row] = await database.query<{ there: boolean }[]>("SELECT to_regclass('stored_keys') IS NOT NULL AS there");
    if (row?.there) return;
  } finally {
    await database.destroy();
  }
  const { host, pathname } = new URL(databaseUrl);
  throw new CommandError(
    `No server has used the database ${pathname.slice(1)} on ${host}. Set DATABASE_URL as the server has it.`,
  );
}

/** What a person can mend is told in a sentence; anything else is a fault of this program, which its stack helps to find. */
function describe(error: unknown, { env }: CommandIo): string {
  if ([CommandError, ConfigError, OperationalError].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  const { path } = Object(error) as { readonly path?: unknown };
  if (typeof path === 'string') return describeUnusable(path, error);
  const known = env.DATABASE_URL && explainFailedConnection(env.DATABASE_URL, error);
  return known instanceof OperationalError ? known.message : inspect(error);
}

const UNUSABLE: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EDQUOT: 'its disk is full',
  ENOSPC: 'its disk is full',
  EROFS: 'it is read-only',
  EEXIST: 'a file of that name exists',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ENOTDIR: 'something in its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
};

/** A sentence on a file or folder that cannot be used. @param error of the system */
export function describeUnusable(path: string, error: unknown): string {
  const code = systemCode(error);
  return `${path} cannot be used: ${UNUSABLE[code] ?? 'the system refuses it'} (${code}).`;
}

/**
 * Runs another program.
 * @param environment beside our own; passwords go here, since command lines can be read by every user
 * @returns what it wrote to its standard output
 * @throws CommandError where it is missing, or fails
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (bytes) => (output += String(bytes)));
  child.stderr.on('data', (bytes) => (errors += String(bytes)));
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new CommandError(`${program} cannot be started: is it installed?`)));
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new CommandError(`${program} failed: ${errors.trim().replaceAll(/\s*\n\s*/g, '; ')}`));
    });
  });
}
