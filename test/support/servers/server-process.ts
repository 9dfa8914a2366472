import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildServer, COMPILE_CACHE } from './built-server.js';

const ROOT = join(import.meta.dirname, '../../..');

/** How a server's process has ended, and what it has written. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program, built, as a process of its own. */
export class ServerProcess {
  private output = { stdout: '', stderr: '' };
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => (this.output[name] += chunk.toString()));
    }
    this.ended = once(child, 'close');
  }

  /**
   * @param env start-up variables; the port is a free one unless it is given
   * @param preload a file that is loaded before the program
   * @param copy another folder, into which the program is copied first, with a symbolic link to the packages
   */
  static async start(env: Readonly<Record<string, string>>, preload?: string, copy?: string): Promise<ServerProcess> {
    await buildServer();
    if (copy !== undefined) await copyServer(copy);
    const imports = preload === undefined ? [] : ['--import', join(ROOT, preload)];
    return ServerProcess.spawn(process.execPath, ['--enable-source-maps', ...imports, 'dist/main.js'], env, copy);
  }

  /** As `start`, by `npm start`, to which signals go then. */
  static async startByNpm(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
    await buildServer();
    // It is built already: other tests may run it at the same time.
    return ServerProcess.spawn('npm', ['start', '--ignore-scripts'], env);
  }

  private static spawn(
    program: string,
    args: string[],
    env: Readonly<Record<string, string>>,
    folder = ROOT,
  ): ServerProcess {
    return new ServerProcess(
      spawn(program, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, PORT: '0', BUILTIN_BACKEND: 'false', ...COMPILE_CACHE, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Waits until it has written something. @returns the match. @throws Error with its output where it ends before that */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const isOver = this.ended.then(() => true);
    for (;;) {
      const match = pattern.exec(this.output.stdout + this.output.stderr);
      if (match) return match;
      const next = once(this.child.stdout as NonNullable<ChildProcess['stdout']>, 'data').then(() => false);
      if (await Promise.race([next, isOver])) throw new Error(`The server has ended:\n${JSON.stringify(this.output)}`);
    }
  }

  /** Reads its standard output no more: as one who is gone, or who sleeps until the process has ended. */
  stopReading(how: 'is gone' | 'sleeps'): void {
    const { stdout } = this.child;
    if (how === 'is gone') return void stdout?.destroy();
    stdout?.pause();
    this.child.once('exit', () => stdout?.resume());
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits until the process is over. */
  async ending(): Promise<Ending> {
    await this.ended;
    return { code: this.child.exitCode, ...this.output };
  }
}

async function copyServer(folder: string): Promise<void> {
  for (const name of ['dist', 'schema', 'models', 'pages', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
