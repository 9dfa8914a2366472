import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { buildServer, COMPILE_CACHE } from './built-server.js';

/** How a command has ended, and what it has written to both of its outputs. */
export interface EndedCommand {
  /** -1 where it was killed. */
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a command of `src/cli` as a process of its own, built, as npm would.
 * @param killedAt it is killed as soon as it has written this
 */
export async function runCommandProcess(
  command: string,
  { args = [], env, input = '' }: { args?: readonly string[]; env: Readonly<Record<string, string>>; input?: string },
  killedAt?: RegExp,
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
