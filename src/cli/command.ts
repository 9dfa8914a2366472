import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.js';
import { schema } from '../domains.js';
import { ConfigError } from '../platform/config/config.js';
import { openDatabase } from '../platform/database/database.js';
import type { Database } from '../platform/database/database.js';
import { createLog } from '../platform/telemetry/log.js';
import { OperationalError, systemCode } from '../platform/operational-error.js';

/** What a person at the command line must be told, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command line tool: what it throws is told on standard error, and the exit code is 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(isExpected(error) ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * The database of the server's environment.
 * @throws CommandError where there is no embedded one, which would otherwise be made anew, or it cannot be opened
 */
export async function openExisting(config: Config): Promise<Database> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    throw new CommandError(
      `There is no database in ${resolve(dataDir)}. Set DATA_DIR or DATABASE_URL as the server has it.`,
    );
  }
  return openDatabase(config, schema, createLog('error', process.stderr)).catch((error: Error) => {
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
 * @param environment beside our own; passwords go here, since command lines can be read by everybody
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
