import type { Socket } from 'node:net';
import { BadUpstream, UpstreamTimeout } from '../../../errors.js';
import { RunningProgram } from '../../../platform/programs/running-program.js';

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
  /** What it writes; undefined where it could not be started. */
  readonly output: Promise<Socket | undefined>;
  /** Resolves when it has ended well. */
  readonly ended: Promise<void>;
  private readonly program: RunningProgram;
  private failure: unknown;

  /** @param path absolute */
  constructor(path: string, { args, input = '', folder, seconds, signal }: ProgramOptions) {
    this.program = new RunningProgram({ program: path, args, folder });
    this.output = this.program.socket;
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
    void this.output.then((socket) => socket?.end(input));
    if (signal.aborted) left();
  }

  /** Ends it at once; later reasons change nothing. */
  kill(reason: unknown): void {
    this.failure ??= reason;
    this.program.kill();
  }

  private async end(): Promise<void> {
    const code = await this.program.ended;
    if (this.failure !== undefined) throw this.failure;
    if (code !== 0) throw new BadUpstream('The speech engine failed.');
  }
}
