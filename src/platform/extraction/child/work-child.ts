import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import { MEBIBYTE } from '../../config/variables.js';
import { childArguments } from './child-command.js';
import type { ChildCommand } from './child-command.js';
import { ChildFailed } from './child-failed.js';
import { FAILED_EXIT, FRAME, frameHead, jsonFrame, readFrames } from './frames.js';
import type { Frame } from './frames.js';
import { endFirstWithoutMemory, residentBytes } from './process-memory.js';
import { WorkClock } from './work-clock.js';

/** The most that one child may use. */
export interface ChildLimits {
  /** For one task, while its answers are waited for. */
  readonly seconds: number;
  /** Resident, with the programs that it has started. */
  readonly memoryMib: number;
}

/** What a child does. */
export interface ChildTask {
  /** JSON. */
  readonly task: unknown;
  /** The bytes that belong to it; destroyed in any case. */
  readonly input: Readable;
  readonly signal: AbortSignal;
  /** Where it may take less time than the child's limits say. */
  readonly seconds?: number | undefined;
}

const MEMORY_CHECK_MS = 100;

/** So much of an input is written at once. */
const SLICE_BYTES = MEBIBYTE;

/** How long a child may take to start, in milliseconds. It counts as no work, since it depends on what else runs. */
const START_MS = 30_000;

/** How long a child that answers no more may take to end, in milliseconds. */
const END_MS = 1_000;

/** With these V8 ends when its heap is full. */
const HEAP_FULL = new Set<string | null>(['SIGABRT', 'SIGTRAP', 'SIGILL']);

/** A child process that does one task after another, within limits, until it is ended. */
export class WorkChild {
  /** How many tasks it was given. */
  age = 0;
  /** Why it has ended; undefined while it is alive. */
  private ended: string | undefined;
  private isReady = false;
  private readonly process: ChildProcess;
  private readonly stdin: Writable;
  private readonly answers: AsyncGenerator<Frame, void, undefined>;
  private readonly ending = new AbortController();

  constructor(
    readonly command: ChildCommand,
    private readonly limits: ChildLimits,
  ) {
    // Half of the memory is for files, which lie outside of the heap.
    this.process = spawn(process.execPath, childArguments(command, Math.ceil(limits.memoryMib / 2)), {
      cwd: '/',
      env: {},
      // With a group of its own its programs end with it.
      detached: true,
      // What libraries complain about may quote the file.
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    this.process.on('error', () => this.end('interrupted'));
    // Without descriptors for its pipes there is no process.
    if (!this.process.stdio) throw new ChildFailed('interrupted');
    const [stdin, , , answers] = this.process.stdio as unknown as [Writable, null, null, Duplex];
    this.stdin = stdin;
    // Whoever waits for the child hears of its end otherwise.
    for (const stream of [stdin, answers]) stream.on('error', () => undefined);
    this.answers = readFrames(answers);
    this.process.on('exit', (code, signal) => this.end(exitReason(code, signal)));
    if (this.process.pid !== undefined) endFirstWithoutMemory(this.process.pid);
  }

  /** Whether it can do tasks. */
  get isAlive(): boolean {
    return this.ended === undefined;
  }

  /** Its number; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** What it and its programs keep, in bytes; 0 where the system does not tell. */
  get residentBytes(): number {
    return this.pid === undefined ? 0 : residentBytes(this.pid);
  }

  /** Ends it at once, with its programs. */
  end(reason = 'interrupted'): void {
    if (!this.isAlive) return;
    this.ended = reason;
    this.ending.abort();
    try {
      if (this.pid !== undefined) process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended by itself, and has left nothing.
    }
  }

  /**
   * Does a task. Its answers are sent only as they are read: what is ahead of the reader is what fits in a pipe. A child
   * whose task did not come to its end is ended.
   * @throws ChildFailed, the reason of the signal, or what the input throws
   */
  async *run({
    task,
    input,
    signal,
    seconds = this.limits.seconds,
  }: ChildTask): AsyncGenerator<unknown, void, undefined> {
    this.age += 1;
    const abort = () => this.end();
    signal.addEventListener('abort', abort, { once: true });
    const clock = new WorkClock(Math.min(seconds, this.limits.seconds) * 1_000, () => this.end('timeout'));
    const memory = setInterval(() => this.checkMemory(), MEMORY_CHECK_MS).unref();
    const feed = this.startFeed(task, input);
    let isWhole = false;
    try {
      if (!this.isReady) await this.untilReady();
      for (;;) {
        clock.start();
        const frame = await this.nextFrame();
        clock.pause();
        signal.throwIfAborted();
        if (feed.error) throw feed.error.cause;
        if (frame === undefined) throw new ChildFailed(this.ended ?? 'interrupted');
        const value = JSON.parse(frame.payload.toString()) as { readonly reason?: string };
        if (frame.type !== FRAME.end) {
          yield value;
          continue;
        }
        isWhole = feed.isDone;
        if (value.reason !== undefined) throw new ChildFailed(value.reason);
        return;
      }
    } finally {
      clock.close();
      clearInterval(memory);
      signal.removeEventListener('abort', abort);
      if (!isWhole) this.end();
    }
  }

  /** A child that ends instead is told with the next frame. */
  private async untilReady(): Promise<void> {
    const timer = setTimeout(() => this.end(), START_MS).unref();
    this.isReady = (await this.nextFrame())?.type === FRAME.ready;
    clearTimeout(timer);
  }

  /** Undefined: the child has ended. */
  private async nextFrame(): Promise<Frame | undefined> {
    const { value } = await this.answers.next().catch(() => ({ value: undefined }));
    // How it has ended is told later than that it has.
    if (!value && this.isAlive)
      await once(this.process, 'exit', { signal: AbortSignal.timeout(END_MS) }).catch(() => undefined);
    return value ?? undefined;
  }

  private startFeed(task: unknown, input: Readable): { isDone: boolean; error?: { cause: unknown } } {
    const state: { isDone: boolean; error?: { cause: unknown } } = { isDone: false };
    this.feed(task, input).then(
      () => {
        state.isDone = true;
      },
      (cause: unknown) => {
        // The pipe is broken before it is told how the child has ended.
        if (cause === this.stdin.errored) return;
        // Where the child has ended, that is why.
        if (this.isAlive) state.error = { cause };
        this.end();
      },
    );
    return state;
  }

  private async feed(task: unknown, input: Readable): Promise<void> {
    await this.write(jsonFrame(FRAME.json, task));
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const slice = chunk.subarray(start, start + SLICE_BYTES);
        await this.write(frameHead(FRAME.bytes, slice.length), slice);
      }
    }
    await this.write(frameHead(FRAME.end, 0));
  }

  /** @throws AbortError where the child has ended */
  private async write(...parts: readonly Uint8Array[]): Promise<void> {
    this.ending.signal.throwIfAborted();
    this.stdin.cork();
    const keepsUp = parts.map((part) => this.stdin.write(part)).every(Boolean);
    this.stdin.uncork();
    if (!keepsUp) await once(this.stdin, 'drain', { signal: this.ending.signal });
  }

  private checkMemory(): void {
    if (this.residentBytes > this.limits.memoryMib * MEBIBYTE) this.end('out_of_memory');
  }
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (HEAP_FULL.has(signal)) return 'out_of_memory';
  return code === FAILED_EXIT || signal === 'SIGSEGV' || signal === 'SIGBUS' ? 'failed' : 'interrupted';
}
