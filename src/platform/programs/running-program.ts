import type { Socket } from 'node:net';
import type { LaunchOrder, ProcessEnd } from './launch.types.js';
import { processLauncher } from './process-launcher.js';

/** A program that the launcher starts, with a group of its own: whatever it has started itself ends with it. */
export class RunningProgram {
  /** What it reads, and what it writes; undefined where it could not be started. */
  readonly socket: Promise<Socket | undefined>;
  /** Resolves with its exit code when it has ended; null where it was killed, or could not be started. */
  readonly ended: Promise<number | null>;
  private readonly begun = Promise.withResolvers<Socket | undefined>();
  private readonly over = Promise.withResolvers<number | null>();
  private pid: number | undefined;
  private isOver = false;
  private isKilled = false;

  /** @param order its program is absolute; texts of users are never among its arguments, which all of the machine can see */
  constructor(order: LaunchOrder & { readonly program: string }) {
    this.socket = this.begun.promise;
    this.ended = this.over.promise;
    processLauncher.launch(order, {
      started: (pid, socket) => this.begin(pid, socket),
      ended: (end) => this.finish(end),
    });
  }

  /** Ends it at once; what it has written and nobody has read is lost. */
  kill(): void {
    this.isKilled = true;
    this.killGroup();
    void this.socket.then((socket) => socket?.destroy());
  }

  private begin(pid: number, socket: Socket): void {
    this.pid = pid;
    // Whoever reads learns of it there; a program that ends early does not read what is left.
    socket.on('error', () => undefined);
    this.begun.resolve(socket);
    if (this.isKilled) this.killGroup();
  }

  private finish({ code, signal }: Pick<ProcessEnd, 'code' | 'signal'>): void {
    // The launcher is gone, and nobody else would end it.
    if (code === null && signal === null) this.killGroup();
    this.isOver = true;
    this.begun.resolve(undefined);
    this.over.resolve(code);
  }

  private killGroup(): void {
    if (this.pid === undefined || this.isOver) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
