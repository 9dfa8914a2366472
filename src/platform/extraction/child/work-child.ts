import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { MEBIBYTE } from '../../config/variables.js';
import type { ProcessEnd } from '../../programs/launch.types.js';
import { processLauncher } from '../../programs/process-launcher.js';
import { childArguments } from './child-command.js';
import type { ChildCommand } from './child-command.js';
import { ChildFailed } from './child-failed.js';
import { FAILED_EXIT, FRAME, frameHead, jsonFrame, readFrames } from './frames.js';
import type { Frame } from './frames.js';
import { endFirstWithoutMemory, residentBytes } from './process-memory.js';
import { WorkClock } from './work-clock.js';
import type { WorkTurn } from './work-turns.js';

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
  /** Whose it is, where callers take turns. Absent: it waits for none but a child. */
  readonly turn?: WorkTurn | undefined;
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

/** What connects it with this process. */
interface Pipe {
  readonly socket: Socket;
  readonly answers: AsyncGenerator<Frame, void, undefined>;
}

/** A child process that does one task after another, within limits, until it is ended. */
export class WorkChild {
  /** How many tasks it was given. */
  age = 0;
  /** How its process has ended; undefined while that is not known. */
  exit: Pick<ProcessEnd, 'code' | 'signal'> | undefined;
  /** Why it has ended; undefined while it is alive. */
  private ended: string | undefined;
  /** Its number; undefined until it has been started. */
  private processId: number | undefined;
  /** Resolves when it has been started, or has ended. */
  private readonly started = Promise.withResolvers<Pipe | undefined>();
  private readonly exited = Promise.withResolvers<void>();
  private hasExited = false;
  private isReady = false;
  private readonly ending = new AbortController();

  constructor(
    readonly command: ChildCommand,
    private readonly limits: ChildLimits,
  ) {
    // Half of the memory is for files, which lie outside of the heap.
    const args = childArguments(command, Math.ceil(limits.memoryMib / 2));
    processLauncher.launch(
      { args },
      {
        started: (pid, socket) => this.begin(pid, socket),
        ended: (end) => this.onExit(end),
      },
    );
  }

  /** Whether it can do tasks. */
  get isAlive(): boolean {
    return this.ended === undefined;
  }

  /** Its number; undefined until it has been started. */
  get pid(): number | undefined {
    return this.processId;
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
    // Nobody waits for one that is still to be started; it is ended then.
    this.started.resolve(undefined);
    this.kill();
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
    let isWhole = false;
    let pipe: Pipe | undefined;
    try {
      pipe = await this.untilReady();
      signal.throwIfAborted();
      if (!pipe) throw new ChildFailed(this.ended ?? 'not_started');
      const feed = this.startFeed(pipe, task, input);
      for (;;) {
        clock.start();
        const frame = await this.nextFrame(pipe);
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
      if (!isWhole) {
        this.end();
        pipe?.socket.destroy();
      }
    }
  }

  private begin(pid: number, socket: Socket): void {
    this.processId = pid;
    // Whoever waits for the child hears of its end otherwise.
    socket.on('error', () => undefined);
    this.started.resolve({ socket, answers: readFrames(socket) });
    if (this.isAlive) return endFirstWithoutMemory(pid);
    this.kill();
    socket.destroy();
  }

  private onExit({ code, signal }: Pick<ProcessEnd, 'code' | 'signal'>): void {
    // Its programs may still be there.
    this.end(this.isReady ? exitReason(code, signal) : this.startReason(code, signal));
    this.exit = { code, signal };
    this.hasExited = true;
    // Of one that was given no task nobody reads the end.
    if (this.age === 0) void this.started.promise.then((pipe) => pipe?.socket.destroy());
    this.exited.resolve();
  }

  /** Before it is ready no task is at fault; it may still have been ended from outside. */
  private startReason(code: number | null, signal: NodeJS.Signals | null): string {
    const isFromOutside = this.pid !== undefined && code === null && exitReason(code, signal) === 'interrupted';
    return isFromOutside ? 'interrupted' : 'not_started';
  }

  private kill(): void {
    if (this.processId === undefined || this.hasExited) return;
    try {
      process.kill(-this.processId, 'SIGKILL');
    } catch {
      // It has ended by itself, and has left nothing.
    }
  }

  /** Undefined: it has ended instead. */
  private async untilReady(): Promise<Pipe | undefined> {
    if (this.isReady) return this.started.promise;
    const timer = setTimeout(() => this.end('not_started'), START_MS).unref();
    const pipe = await this.started.promise;
    if (pipe) this.isReady = (await this.nextFrame(pipe))?.type === FRAME.ready;
    clearTimeout(timer);
    return this.isReady ? pipe : undefined;
  }

  /** Undefined: the child has ended. */
  private async nextFrame({ answers }: Pipe): Promise<Frame | undefined> {
    const { value } = await answers.next().catch(() => ({ value: undefined }));
    // How it has ended is told later than that it has.
    if (!value && this.isAlive) await Promise.race([this.exited.promise, delay(END_MS, undefined, { ref: false })]);
    return value ?? undefined;
  }

  private startFeed({ socket }: Pipe, task: unknown, input: Readable): { isDone: boolean; error?: { cause: unknown } } {
    const state: { isDone: boolean; error?: { cause: unknown } } = { isDone: false };
    this.feed(socket, task, input).then(
      () => {
        state.isDone = true;
      },
      (cause: unknown) => {
        // The pipe is broken before it is told how the child has ended.
        if (cause === socket.errored) return;
        // Where the child has ended, that is why.
        if (this.isAlive) state.error = { cause };
        this.end();
      },
    );
    return state;
  }

  private async feed(socket: Socket, task: unknown, input: Readable): Promise<void> {
    await this.write(socket, jsonFrame(FRAME.json, task));
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const slice = chunk.subarray(start, start + SLICE_BYTES);
        await this.write(socket, frameHead(FRAME.bytes, slice.length), slice);
      }
    }
    await this.write(socket, frameHead(FRAME.end, 0));
  }

  /** @throws AbortError where the child has ended */
  private async write(socket: Socket, ...parts: readonly Uint8Array[]): Promise<void> {
    this.ending.signal.throwIfAborted();
    socket.cork();
    const keepsUp = parts.map((part) => socket.write(part)).every(Boolean);
    socket.uncork();
    if (!keepsUp) await once(socket, 'drain', { signal: this.ending.signal });
  }

  private checkMemory(): void {
    if (this.residentBytes > this.limits.memoryMib * MEBIBYTE) this.end('out_of_memory');
  }
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (HEAP_FULL.has(signal)) return 'out_of_memory';
  return code === FAILED_EXIT || signal === 'SIGSEGV' || signal === 'SIGBUS' ? 'failed' : 'interrupted';
}
