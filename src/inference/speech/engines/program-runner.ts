import { Unavailable } from '../../../errors.js';
import { EngineProgram } from './engine-program.js';
import type { ProgramOptions } from './engine-program.js';

/** Starts one program, as often as it is needed, and ends all of them. */
export class ProgramRunner {
  private readonly running = new Set<EngineProgram>();

  /** @param path absolute */
  constructor(private readonly path: string) {}

  start(options: ProgramOptions): EngineProgram {
    const program = new EngineProgram(this.path, options);
    this.running.add(program);
    program.ended.catch(() => undefined).finally(() => this.running.delete(program));
    return program;
  }

  /** Ends those that run. */
  async close(): Promise<void> {
    const ends = [...this.running].map((program) => {
      program.kill(new Unavailable('The server is stopping.', 1));
      return program.ended.catch(() => undefined);
    });
    await Promise.all(ends);
  }
}
