import { Readable } from 'node:stream';
import { runCommand as run, startExistingServer } from '../../../src/cli/command.js';
import type { Command } from '../../../src/cli/command.js';
import type { EndedCommand } from './command-process.js';
import type { TestDatabase } from './database.js';
import type { Platform } from './platform.js';

/** What a command is run with beside its environment. */
interface CommandOptions {
  readonly args?: readonly string[];
  /** Its standard input. */
  readonly input?: string;
}

/**
 * Runs a command of `src/cli` in this process.
 * @param database whose embedded engine it uses where that runs already, else that of its environment
 */
export async function runCommand(
  command: Command,
  { env, startEmbedded = startExistingServer }: Pick<TestDatabase, 'env' | 'startEmbedded'>,
  { args = [], input = '' }: CommandOptions = {},
): Promise<EndedCommand> {
  const lines: string[] = [];
  const code = await run(command, {
    args,
    env,
    stdin: Readable.from([input]),
    stderr: { write: (text) => lines.push(text) },
    print: (line) => lines.push(`${line}\n`),
    startEmbedded,
  });
  return { code, output: lines.join('') };
}

/** What a command needs to use the database of a platform, which must be stopped where that is an embedded one. */
export function databaseOf({ config, startEmbedded }: Platform): Pick<TestDatabase, 'env' | 'startEmbedded'> {
  const { dataDir, databaseUrl, secretKey } = config;
  const onServer = databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey?.toString('hex') ?? '' };
  return { env: { DATA_DIR: dataDir, ...onServer }, startEmbedded };
}
