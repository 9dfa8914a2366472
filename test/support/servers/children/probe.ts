import { Readable } from 'node:stream';
import { pino } from 'pino';
import type { ChildCommand } from '../../../../src/platform/extraction/child/child-command.js';
import { ChildPool } from '../../../../src/platform/extraction/child/child-pool.js';
import type { ChildPoolOptions } from '../../../../src/platform/extraction/child/child-pool.js';

/** A child that tries what its task says (`probe.child.ts`). */
export const PROBE: ChildCommand = { entry: new URL('./probe.child.ts', import.meta.url), startsPrograms: false };

/** A pool with these options in place of usual ones; it is closed with the block that it is opened in. */
export function openPool(options: Partial<ChildPoolOptions> = {}): ChildPool & Disposable {
  const log = pino({ level: 'silent' });
  const pool = new ChildPool({ name: 'probe', processes: 2, seconds: 20, memoryMib: 1_024, log, ...options });
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

/** A task of the probe. */
export function trialOf(trial: string, argument = ''): object {
  return { trial, argument };
}

/** A signal that is never aborted. */
export function unaborted(): AbortSignal {
  return new AbortController().signal;
}

/** All answers to a trial. */
export async function ask(pool: ChildPool, trial: string, argument = '', signal = unaborted()): Promise<unknown[]> {
  const answers: unknown[] = [];
  const task = { task: trialOf(trial, argument), input: Readable.from([]), signal };
  for await (const answer of pool.run(PROBE, task)) answers.push(answer);
  return answers;
}

/** Whether there is a process of this number; one that has ended and was not fetched is none. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
