import dgram from 'node:dgram';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { FAILED_EXIT, FRAME, jsonFrame, readFrames } from './frames.js';
import type { Frame } from './frames.js';

/** The descriptor of the socket to the parent: its input, and its answers. */
const PARENT = 0;

/** What a disk says that is full, or broken. */
const DISK_FAILURES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/** How often a child looks whether its parent is still there, in milliseconds. */
const PARENT_CHECK_MS = 500;

/**
 * Does one task.
 * @param input the bytes of its file; not read further than the task needs them
 * @param emit sends a JSON value, and resolves when the parent keeps up
 * @throws an error whose `reason`, where it has one, is told to the parent
 */
export type TaskHandler = (
  task: unknown,
  input: AsyncIterable<Uint8Array>,
  emit: (value: unknown) => Promise<void>,
) => Promise<void>;

/** Runs in a child: does what comes from its parent, one task after another, until the parent is gone. */
export async function serve(handler: TaskHandler): Promise<void> {
  endWithParent();
  const parent = new Socket({ fd: PARENT, readable: true, writable: true });
  // It does not listen any more.
  parent.on('error', endAtOnce);
  forbidConnections();
  process.on('uncaughtException', () => process.exit(FAILED_EXIT));
  // Nobody waits for it, as for the parts of a page that pdf.js still reads when the page was given up.
  process.on('unhandledRejection', () => undefined);
  const send = async (frame: Buffer) => {
    if (!parent.write(frame)) await once(parent, 'drain');
  };
  await send(jsonFrame(FRAME.ready, {}));
  const frames = readFrames(parent);
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const task: unknown = JSON.parse(next.value.payload.toString());
    const input = new TaskInput(frames);
    const outcome = await handler(task, input.chunks(), (value) => send(jsonFrame(FRAME.json, value))).then(
      () => ({}),
      (error: unknown) => ({ reason: reasonOf(error) }),
    );
    await send(jsonFrame(FRAME.end, outcome));
    await input.drop();
  }
  endAtOnce();
}

/** The bytes of one task among the frames, which go on with the next. */
class TaskInput {
  private isOver = false;
  private readonly frames: AsyncGenerator<Frame, void, undefined>;

  constructor(frames: AsyncGenerator<Frame, void, undefined>) {
    this.frames = frames;
  }

  /** Whoever leaves the loop over it leaves the frames open. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    while (!this.isOver) {
      const next = await this.frames.next();
      this.isOver = next.done === true || next.value.type === FRAME.end;
      if (!this.isOver) yield (next.value as Frame).payload;
    }
  }

  /** Reads over what the task did not need. */
  async drop(): Promise<void> {
    for await (const chunk of this.chunks()) void chunk;
  }
}

function reasonOf(error: unknown): string {
  const { reason, message, code } = error as { reason?: unknown; message?: unknown; code?: unknown };
  if (typeof reason === 'string') return reason;
  // It is nothing of the file, and may be better soon.
  if (DISK_FAILURES.has(code)) return 'interrupted';
  return /allocation failed|Invalid (?:string|array|typed array) length/i.test(String(message))
    ? 'out_of_memory'
    : 'failed';
}

/** A thread of its own watches the parent: the main one may be busy for ever with a hostile file. */
function endWithParent(): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(-process.pid, 'SIGKILL');
  }, ${PARENT_CHECK_MS})`;
  new Worker(watch, { eval: true, execArgv: [], stdin: false }).unref();
}

/** With its programs. The end of a process in good order waits for its threads, and may wait for ever. */
function endAtOnce(): void {
  process.kill(-process.pid, 'SIGKILL');
}

/** No library connects by itself; should one learn to, it fails. */
function forbidConnections(): void {
  const refuse = () => {
    throw new Error('this process makes no connections');
  };
  Socket.prototype.connect = refuse;
  dgram.Socket.prototype.bind = refuse;
  dgram.Socket.prototype.send = refuse;
}
