import type { ByteSource } from '../../../platform/net/egress.js';
import { ClientGone } from '../../../errors.js';
import type { EngineProgram } from './engine-program.js';

/** What a program writes, as it writes it; a program that fails ends it with its error. */
export class ProgramOutput implements ByteSource {
  private chunks: AsyncIterator<Buffer> | undefined;

  constructor(private readonly program: EngineProgram) {}

  async next(): Promise<Buffer | undefined> {
    try {
      this.chunks ??= (await this.program.output)?.[Symbol.asyncIterator]() as AsyncIterator<Buffer> | undefined;
      const next = await this.chunks?.next();
      if (next && !next.done) return next.value;
    } catch (error) {
      // One that was ended says why.
      await this.program.ended;
      throw error;
    }
    await this.program.ended;
    return undefined;
  }

  cancel(): void {
    this.program.kill(new ClientGone());
  }

  release(): void {
    this.cancel();
  }
}
