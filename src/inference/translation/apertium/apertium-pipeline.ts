import type { Socket } from 'node:net';
import { BadUpstream, UpstreamTimeout } from '../../../errors.js';
import { RunningProgram } from '../../../platform/programs/running-program.js';
import type { ApertiumMode } from './apertium-modes.js';

const SHELL = '/bin/sh';
/** Of one text, whatever its length: a sentence takes milliseconds. */
const TEXT_MS = 20_000;
/** The programs read their data first. */
const START_MS = 20_000;
/** Of one answer, in bytes, for a byte of its text, and for the shortest. */
const GROWTH = 16;
const LEAST_BYTES = 64 * 1024;

/**
 * The programs of a pair, kept running: each text ends with a NUL, and so does its answer. One text at a time. Whatever
 * goes wrong ends all programs, since nobody knows what they would answer next.
 */
export class ApertiumPipeline {
  /** Resolves when the programs have ended, however. */
  readonly ended: Promise<void>;
  private readonly program: RunningProgram;
  private isNew = true;
  private isOver = false;
  /** Of the text that is being translated. */
  private listener: { data(chunk: Buffer): void; end(): void } | undefined;

  constructor({ programs }: Pick<ApertiumMode, 'programs'>) {
    // The texts go through its input alone.
    const script = programs.map((command) => command.map(quoted).join(' ')).join(' | ');
    this.program = new RunningProgram({ program: SHELL, args: ['-c', script] });
    this.ended = this.program.ended.then(() => this.end());
    void this.program.socket.then((socket) => this.listen(socket));
  }

  /** Whether a text may be given to it. */
  get isUsable(): boolean {
    return !this.isOver;
  }

  /**
   * Translates a text of the form of the stream.
   * @throws BadUpstream, UpstreamTimeout; the programs are ended then
   */
  async translate(stream: string): Promise<string> {
    const limit = TEXT_MS + (this.isNew ? START_MS : 0);
    this.isNew = false;
    try {
      return await this.exchange(stream, limit);
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      this.listener = undefined;
    }
  }

  /** Ends all of its programs at once. */
  kill(): void {
    this.end();
    this.program.kill();
  }

  private listen(socket: Socket | undefined): void {
    socket?.once('close', () => this.kill());
    socket?.on('data', (chunk: Buffer) => {
      // What nobody has asked for is no answer.
      if (this.listener) this.listener.data(chunk);
      else this.kill();
    });
  }

  private end(): void {
    this.isOver = true;
    this.listener?.end();
  }

  private exchange(stream: string, milliseconds: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const bytes = Buffer.from(`${stream}\0`);
      const most = LEAST_BYTES + GROWTH * bytes.length;
      const chunks: Buffer[] = [];
      let length = 0;
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        act();
      };
      const fail = (error: unknown): void => settle(() => reject(error as Error));
      const late = (): void => fail(new UpstreamTimeout('The translation engine did not answer in time.'));
      const timer = setTimeout(late, milliseconds);
      this.listener = {
        data: (chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > most) return fail(new BadUpstream('The answer of the translation engine is too long.'));
          const end = chunk.indexOf(0);
          if (end < 0) return undefined;
          if (end !== chunk.length - 1)
            return fail(new BadUpstream('The translation engine answers more than it was asked.'));
          return settle(() => resolve(Buffer.concat(chunks).toString('utf8', 0, length - 1)));
        },
        end: () => fail(new BadUpstream('The translation engine failed.')),
      };
      if (this.isOver) return this.listener.end();
      void this.program.socket.then((socket) => socket?.write(bytes));
      return undefined;
    });
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
