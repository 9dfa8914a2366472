import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { COMPILE_CACHE } from '../support/servers/built-server.js';

const ROOT = join(import.meta.dirname, '../..');
const SERVING = /"address":"(http:\/\/127\.0\.0\.1:\d+)".*"msg":"serving"/;

const LAST_LINES = 20;

/** The administrator of every server here. */
export const ADMIN = { email: 'admin@example.test', password: 'a long and winding road' } as const;

/** One life of a replica: a process from its start to its end. */
export interface Life {
  readonly origin: string;
  readonly child: ChildProcess;
  /** A signal of ours has ended it, or will: what its clients see is no fault of the server. */
  killed: boolean;
}

/** A server process that is killed and started again. */
export class Replica {
  private current: Life | undefined;
  private lives = 0;

  /** @param env its start-up variables; the rest is the same for all servers here */
  constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Its present life; undefined while it does not serve. */
  get life(): Life | undefined {
    const { current } = this;
    return current && !current.killed ? current : undefined;
  }

  /** Starts the process, and waits until it serves. @throws Error with the end of its log where it does not start */
  async start(): Promise<Life> {
    this.lives += 1;
    const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        BUILTIN_BACKEND: 'false',
        RATE_LIMIT_REQUESTS_PER_MINUTE: '0',
        BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
        BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
        SHUTDOWN_SECONDS: '5',
        ...COMPILE_CACHE,
        ...this.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(this.folder, `${this.name}.${this.lives}.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const origin = await servingAt(child, `${this.name}.${this.lives}.log`);
    const life = { origin, child, killed: false };
    child.once('exit', () => log.end());
    this.current = life;
    return life;
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    current.killed = true;
    await end(current.child, 'SIGKILL');
  }

  /** Ends the process in good order. */
  async stop(): Promise<void> {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    current.killed = true;
    await end(current.child, 'SIGTERM');
  }

  /** Stops the process where it is, until `resume`. */
  pause(): void {
    this.current?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.current?.child.kill('SIGCONT');
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Whether a process is over, in whatever way. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function servingAt(child: ChildProcess, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input: input as Readable }).on('line', (line) => {
        const origin = SERVING.exec(line)?.[1];
        if (origin) resolve(origin);
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new Error(`A server did not start (${log}):\n${last.join('\n')}`)));
  });
}
