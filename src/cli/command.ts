import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { Config } from '../config.js';
import { schema } from '../domains.js';
import { ConfigError } from '../platform/config/config.js';
import { DATABASE } from '../platform/database/data-folder.js';
import { openDatabase } from '../platform/database/database.js';
import type { Database } from '../platform/database/database.js';
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
    io.stderr.write(`${isExpected(error) ? error.message : inspect(error)}\n`);
    return 1;
  }
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
  return openDatabase(config, schema, createLog('error', stderr), startEmbedded).catch((error: Error) => {
    throw new CommandError(error.message);
  });
}

/** What a person can mend, an option that does not exist or has no value among it. */
function isExpected(error: unknown): error is Error {
  if ([CommandError, ConfigError, OperationalError].some((kind) => error instanceof kind)) return true;
  return error instanceof Error && systemCode(error).startsWith('ERR_PARSE_ARGS');
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
      else reject(new CommandError(`${program} failed: ${errors.trim()}`));
    });
  });
}
