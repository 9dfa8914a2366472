import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { buildServer, COMPILE_CACHE } from './built-server.js';
import type { Platform } from './platform.js';

/** How a command has ended, and what it has written to both of its outputs. */
export interface EndedCommand {
  /** -1 where it was killed. */
  readonly code: number;
  readonly output: string;
}

/** What a command is run with beside its arguments and its environment. */
interface CommandOptions {
  /** Its standard input. */
  readonly input?: string;
  /** It is killed as soon as it has written this. */
  readonly killedAt?: RegExp;
}

/** Runs a command of `src/cli` as a process of its own, built, as npm would. */
export async function runCommand(
  command: string,
  args: string[],
  env: Readonly<Record<string, string>>,
  { input = '', killedAt }: CommandOptions = {},
): Promise<EndedCommand> {
  await buildServer();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--enable-source-maps', `dist/cli/${command}.js`, ...args],
      { env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...COMPILE_CACHE, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    );
    child.stdin?.end(input);
    child.stdout?.on('data', (text: string) => killedAt?.test(text) && child.kill('SIGKILL'));
  });
}

/** The start-up variables by which a command finds the database of a platform. */
export function databaseEnv({ config: { dataDir, databaseUrl, secretKey } }: Platform): Record<string, string> {
  if (!databaseUrl) return { DATA_DIR: dataDir };
  return { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey?.toString('hex') ?? '' };
}
