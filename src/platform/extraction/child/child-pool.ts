import type { Logger } from 'pino';
import { TooMuchAtOnce, Unavailable } from '../../../errors.js';
import type { Gauge } from '../../telemetry/metrics.js';
import { MEBIBYTE } from '../../config/variables.js';
import type { ChildCommand } from './child-command.js';
import { ChildFailed } from './child-failed.js';
import { WorkChild } from './work-child.js';
import type { ChildLimits, ChildTask } from './work-child.js';
import { WorkTurns } from './work-turns.js';
import type { WorkTurn } from './work-turns.js';

/** Of one pool. */
export interface ChildPoolOptions extends ChildLimits {
  /** For metrics: `extraction` … */
  readonly name: string;
  /** How many children there are at most. */
  readonly processes: number;
  /** A child that keeps more behind a task is replaced, in MiB; default: half of the memory that it may have. */
  readonly keptMib?: number;
  /** After so many tasks a child is replaced, since libraries leak; default: 50. */
  readonly tasks?: number;
  /** Whether callers take turns, as their tasks say who they are. Otherwise tasks are done in the order of arrival. */
  readonly isFair?: boolean;
  readonly log: Logger;
}

const TASKS = 50;

/** So long a child without work is kept, in milliseconds. */
const IDLE_MS = 60_000;

/** When a client may try again, where no child can be started. */
const RETRY_SECONDS = 30;
/** How many requests of one user may wait for a turn; and when the next one may be tried again. */
const WAITING_FOR_USER = 50;
const BUSY_SECONDS = 10;
const CANNOT_START =
  'a child process, its code or a program that it needs cannot be started: node_modules and all in it must be folders and files beside the code of the server, no symbolic links; programs that were found at the start must still be there; the system must have memory and processes left';

interface Waiter {
  readonly command: ChildCommand;
  readonly resolve: (child: WorkChild) => void;
  readonly reject: (error: Error) => void;
}

/** Children that do tasks, each one at a time, and a queue before them in the order of arrival, or of callers' turns. */
export class ChildPool {
  private readonly busy = new Set<WorkChild>();
  private readonly idle = new Map<WorkChild, NodeJS.Timeout>();
  private readonly waiters: Waiter[] = [];
  private readonly tasks = new Set<AbortController>();
  private isClosed = false;

  private readonly turns: WorkTurns | undefined;

  constructor(private readonly options: ChildPoolOptions) {
    this.turns = options.isFair ? new WorkTurns(options.processes) : undefined;
  }

  /** How many children run now, at work or ready for it. */
  get running(): number {
    return this.busy.size + this.idle.size;
  }

  /** How many tasks wait for a child. */
  get waiting(): number {
    return this.waiters.length + (this.turns?.waiting ?? 0);
  }

  /** The numbers of the processes at work. */
  get busyPids(): readonly number[] {
    return [...this.busy].flatMap(({ pid }) => pid ?? []);
  }

  /** The numbers of the processes that are ready for work. */
  get idlePids(): readonly number[] {
    return [...this.idle.keys()].flatMap(({ pid }) => pid ?? []);
  }

  /** Running children and waiting tasks, for the metrics. */
  get gauges(): readonly Gauge[] {
    const { name } = this.options;
    return [
      {
        name: `platform_${name}_processes`,
        help: `Child processes of ${name} that run.`,
        labels: ['state'],
        read: () => [
          { labels: { state: 'busy' }, value: this.busy.size },
          { labels: { state: 'idle' }, value: this.idle.size },
        ],
      },
      {
        name: `platform_${name}_waiting`,
        help: `Files that wait for a child process of ${name}.`,
        labels: [],
        read: () => [{ value: this.waiting }],
      },
    ];
  }

  /**
   * Has a child do a task, when it is the task's turn.
   * @returns its answers as they come
   * @throws ChildFailed, the reason of the signal, or what the input throws; TooMuchAtOnce where too many requests of the
   * user wait; Unavailable where no child can be started
   */
  async *run(command: ChildCommand, task: ChildTask): AsyncGenerator<unknown, void, undefined> {
    // What fails before it is read fails when it is.
    task.input.on('error', () => undefined);
    const ending = new AbortController();
    const signal = AbortSignal.any([task.signal, ending.signal]);
    this.tasks.add(ending);
    let child: WorkChild | undefined;
    let leave: (() => void) | undefined;
    try {
      if (task.turn) leave = await this.takeTurn(task.turn, signal);
      child = await this.take(command, signal);
      // It may have been aborted since it was given the child.
      signal.throwIfAborted();
      yield* child.run({ ...task, signal });
    } catch (error) {
      if (error instanceof ChildFailed && error.reason === 'not_started') throw this.unavailable(child);
      throw error;
    } finally {
      this.tasks.delete(ending);
      task.input.destroy();
      if (child) this.giveBack(child);
      leave?.();
    }
  }

  /**
   * Has a child without work ready for a command, so that its next task need not wait for one; where that takes no other
   * child's place.
   */
  warm(command: ChildCommand): void {
    if (this.isClosed) return;
    const ready = this.idleChild(command);
    if (ready) this.keep(ready);
    else if (this.running < this.options.processes) this.keep(new WorkChild(command, this.options));
  }

  /** Ends all children, and with an AbortError all tasks. */
  close(): void {
    this.isClosed = true;
    for (const task of this.tasks) task.abort();
    for (const child of this.busy) child.end();
    for (const child of this.idle.keys()) this.drop(child);
  }

  /** @throws TooMuchAtOnce where too many requests of the user wait; the reason of the signal */
  private takeTurn(turn: WorkTurn, signal: AbortSignal): Promise<() => void> | undefined {
    // Jobs are bounded by their queue, and live turns come one after another.
    if (turn.kind === 'request' && (this.turns?.waitingOf(turn) ?? 0) >= WAITING_FOR_USER)
      throw new TooMuchAtOnce('Too many files of yours wait already. Please wait for one of them.', BUSY_SECONDS);
    return this.turns?.take(turn, signal);
  }

  private unavailable(child: WorkChild | undefined): Unavailable {
    this.options.log.error({ child: this.options.name, ...child?.exit }, CANNOT_START);
    return new Unavailable('The server cannot process files at the moment. Please try again later.', RETRY_SECONDS);
  }

  private async take(command: ChildCommand, signal: AbortSignal): Promise<WorkChild> {
    if (this.isClosed) throw new ChildFailed('interrupted');
    signal.throwIfAborted();
    const free = this.waiters.length === 0 && this.freeChild(command);
    if (free) return free;
    return new Promise<WorkChild>((resolve, reject) => {
      const leave = () => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        command,
        resolve: (child) => {
          signal.removeEventListener('abort', leave);
          resolve(child);
        },
        reject: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      this.waiters.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** One that is idle, a new one, or a new one in place of another command's idle one. */
  private freeChild(command: ChildCommand): WorkChild | undefined {
    const same = this.idleChild(command);
    if (same) return this.use(same);
    const [other] = this.idle.keys();
    if (this.running >= this.options.processes) {
      if (!other) return undefined;
      this.drop(other);
    }
    return this.use(new WorkChild(command, this.options));
  }

  private idleChild(command: ChildCommand): WorkChild | undefined {
    for (const child of this.idle.keys()) if (!child.isAlive) this.drop(child);
    return [...this.idle.keys()].find((child) => child.command === command);
  }

  private use(child: WorkChild): WorkChild {
    clearTimeout(this.idle.get(child));
    this.idle.delete(child);
    this.busy.add(child);
    return child;
  }

  private giveBack(child: WorkChild): void {
    this.busy.delete(child);
    const { memoryMib, keptMib = memoryMib / 2, tasks = TASKS, log, name } = this.options;
    if (!child.isAlive) log.debug({ child: name, pid: child.pid }, 'a child process has ended');
    else if (this.isClosed || child.age >= tasks || child.residentBytes > keptMib * MEBIBYTE) {
      child.end();
    } else this.keep(child);
    const [next] = this.waiters;
    if (!next || this.isClosed) return;
    try {
      const free = this.freeChild(next.command);
      if (free) this.waiters.shift()?.resolve(free);
    } catch (error) {
      this.waiters.shift()?.reject(error as Error);
    }
  }

  /** Keeps a child without work for a while from now on. */
  private keep(child: WorkChild): void {
    clearTimeout(this.idle.get(child));
    this.idle.set(child, setTimeout(() => this.drop(child), IDLE_MS).unref());
  }

  private drop(child: WorkChild): void {
    clearTimeout(this.idle.get(child));
    this.idle.delete(child);
    child.end();
  }
}
