import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { MEBIBYTE } from '../config/variables.js';

/** So many characters are gathered before they are written; or so many milliseconds. */
const GATHERED = 4_096;
const GATHER_MS = 200;
/** How long a reader who does not keep up is left alone, in milliseconds. */
const RETRY_MS = 50;
/** Characters that wait for a reader at most; later lines are lost, and counted. */
const MAX_WAITING = 16 * MEBIBYTE;
/** How long the end of the process waits for a reader, in milliseconds. */
const LAST_MS = 500;

const NOTHING = Buffer.alloc(0);

/**
 * Writes log lines to a descriptor, many together. A reader who does not keep up, or is gone, neither stops the server nor
 * its end.
 */
export class LogOutput implements DestinationStream {
  private gathered = '';
  /** What is being written. */
  private rest: Buffer = NOTHING;
  private isBusy = false;
  private isStopped = false;
  private lost = 0;
  private timer: NodeJS.Timeout | undefined;
  private drained = Promise.withResolvers<void>();
  private written = Promise.withResolvers<void>();

  constructor(private readonly fd: number) {}

  /** Whether the system is at a write, perhaps for ever; a process cannot exit before that is over. */
  get isWriting(): boolean {
    return this.isBusy;
  }

  /** Adds a line. */
  write(line: string): void {
    if (this.gathered.length >= MAX_WAITING) {
      this.lost += 1;
      return;
    }
    this.gathered += line;
    if (this.gathered.length >= GATHERED) this.next();
    else this.timer ??= setTimeout(() => this.next(), GATHER_MS).unref();
  }

  /** Resolves when all lines are written, or given up because their reader is gone. */
  async drain(): Promise<void> {
    this.next();
    while (this.rest.length > 0) await this.drained.promise;
  }

  /** Begins no more writes, and resolves when the one that is under way is over. What is left is for `flushSync`. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.isBusy) await this.written.promise;
  }

  /** Writes all lines before it returns, as far as their reader takes them within half a second. */
  flushSync(): void {
    const bytes = Buffer.concat([this.isBusy ? NOTHING : this.rest, Buffer.from(this.take())]);
    if (!this.isBusy) this.rest = NOTHING;
    const end = performance.now() + LAST_MS;
    for (let written = 0; written < bytes.length;) {
      try {
        written += writeSync(this.fd, bytes, written);
      } catch (error) {
        if (!isFull(error) || performance.now() > end) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }

  private next(): void {
    // What is gathered meanwhile follows when that is written.
    if (this.rest.length > 0) return;
    this.rest = Buffer.from(this.take());
    this.send();
  }

  private take(): string {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { gathered, lost } = this;
    this.gathered = '';
    this.lost = 0;
    if (lost === 0) return gathered;
    const notice = {
      level: 40,
      time: new Date().toISOString(),
      msg: `${lost} log lines are lost: nobody has read them`,
    };
    return `${gathered}${JSON.stringify(notice)}\n`;
  }

  private send(): void {
    if (this.rest.length === 0 || this.isBusy || this.isStopped) return;
    this.isBusy = true;
    this.written = Promise.withResolvers();
    write(this.fd, this.rest, (error, count) => {
      this.isBusy = false;
      this.written.resolve();
      if (error && isFull(error)) {
        setTimeout(() => this.send(), RETRY_MS).unref();
        return;
      }
      // For whoever is gone, or has no place left, nothing is kept.
      this.rest = error ? NOTHING : this.rest.subarray(count);
      if (this.rest.length > 0) return this.send();
      this.drained.resolve();
      this.drained = Promise.withResolvers();
      if (this.gathered !== '') this.next();
    });
  }
}

/** Whether a reader has not kept up. */
function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EAGAIN';
}
