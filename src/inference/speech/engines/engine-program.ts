import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BadUpstream, UpstreamTimeout } from '../../../errors.js';

/** Nothing of the server's own environment is for a program. */
const ENVIRONMENT = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

/** How a program is run. */
export interface ProgramOptions {
  readonly args: readonly string[];
  /** What it reads; never an argument, which every user of the machine could see. */
  readonly input?: string;
  readonly folder?: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** A program that is at work for one call; it is killed when its time is over or nobody waits any more. */
export class EngineProgram {
  readonly stdout: Readable;
  /** Resolves when it has ended well. */
  readonly ended: Promise<void>;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private failure: unknown;

  /** @param path absolute */
  constructor(path: string, { args, input = '', folder, seconds, signal }: ProgramOptions) {
    this.child = spawn(path, args, { cwd: folder ?? '/', env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'ignore'] });
    this.stdout = this.child.stdout;
    const late = (): void => this.kill(new UpstreamTimeout('The speech engine did not end in time.'));
    const timer = setTimeout(late, seconds * 1_000).unref();
    const left = (): void => this.kill(signal.reason);
    signal.addEventListener('abort', left, { once: true });
    this.ended = this.end().finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', left);
    });
    // Whoever reads its output learns of its end there.
    this.ended.catch(() => undefined);
    // A program that ends early does not read what is left.
    this.child.stdin.on('error', () => undefined);
    this.child.stdin.end(input);
    if (signal.aborted) left();
  }

  /** Ends it at once; later reasons change nothing. */
  kill(reason: unknown): void {
    this.failure ??= reason;
    this.child.kill('SIGKILL');
    // Its end is not told while anything that it wrote is still to be read, and nobody reads it any more.
    this.stdout.destroy();
  }

  private async end(): Promise<void> {
    let failure: unknown;
    const [code] = await once(this.child, 'close').catch((error: unknown) => {
      failure = error;
      return [undefined];
    });
    if (this.failure !== undefined) throw this.failure;
    if (code !== 0) throw Object.assign(new BadUpstream('The speech engine failed.'), { cause: failure });
  }
}
