import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** A program that ends with this process, whatever ends it but `kill -9`. Its output is not read. */
export class OwnProgram {
  private readonly child: ChildProcess;
  private readonly kill = (): void => void this.child.kill('SIGTERM');

  constructor(program: string, args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>) {
    this.child = spawn(program, args, { ...options, stdio: 'ignore' });
    // That it cannot be started shows in that it does not answer.
    this.child.on('error', () => undefined);
    process.once('exit', this.kill);
  }

  /** Ends it, and waits for its end. */
  async close(): Promise<void> {
    process.off('exit', this.kill);
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.kill();
    await ended;
  }
}
