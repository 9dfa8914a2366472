import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Launch, LaunchOrder, ProcessEnd, ProcessStart } from './launch.types.js';

const ENTRY = new URL(`./launcher.child${extname(import.meta.url)}`, import.meta.url);
/** How long the launcher is kept without processes, in milliseconds. */
const IDLE_MS = 60_000;

/** Hears of a process that was asked for. */
export interface LaunchListener {
  /** Called once, where it is started, with the socket on which it reads and answers. */
  started(pid: number, socket: Socket): void;
  /** Called once, behind that, also where it could not be started. */
  ended(end: Pick<ProcessEnd, 'code' | 'signal'>): void;
}

/**
 * Starts processes from a small one. To start one from the server stops it for as long as the system copies its page
 * tables, and until the new one has had a core: 20 ms, or 200 ms where others use the cores.
 */
class ProcessLauncher {
  private readonly listeners = new Map<number, LaunchListener>();
  private process: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private count = 0;

  /** Asks for a process. */
  launch(order: LaunchOrder, listener: LaunchListener): void {
    clearTimeout(this.idle);
    const launcher = (this.process ??= this.open());
    const id = (this.count += 1);
    this.listeners.set(id, listener);
    // Without descriptors for its channel there is no launcher; whoever asks is still to know of its process.
    if (!launcher.connected) {
      process.nextTick(() => this.lose(launcher));
      return;
    }
    // Whoever waits for a process keeps the server alive.
    launcher.ref();
    launcher.channel?.ref();
    const launch: Launch = { id, ...order };
    launcher.send(launch, (error) => {
      if (error) this.lose(launcher);
    });
  }

  private open(): ChildProcess {
    const launcher = spawn(process.execPath, ['--no-warnings', fileURLToPath(ENTRY)], {
      cwd: '/',
      env: {},
      // What a terminal sends to the server is not for it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    launcher.on('message', (told, socket) =>
      this.hear(told as ProcessStart | ProcessEnd, socket as Socket | undefined),
    );
    launcher.on('error', () => this.lose(launcher));
    launcher.on('exit', () => this.lose(launcher));
    return launcher;
  }

  private hear(told: ProcessStart | ProcessEnd, socket: Socket | undefined): void {
    const listener = this.listeners.get(told.id);
    if ('pid' in told) {
      if (listener && socket) listener.started(told.pid, socket);
      else socket?.destroy();
      return;
    }
    this.listeners.delete(told.id);
    listener?.ended(told);
    if (this.listeners.size === 0) this.rest();
  }

  private rest(): void {
    clearTimeout(this.idle);
    this.process?.unref();
    this.process?.channel?.unref();
    this.idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  private close(): void {
    const launcher = this.process;
    this.process = undefined;
    if (launcher?.connected) launcher.disconnect();
  }

  /** Children that watch over their parent end by themselves; of others who asked for them hears. */
  private lose(launcher: ChildProcess): void {
    if (this.process !== launcher) return;
    this.close();
    const lost = [...this.listeners.values()];
    this.listeners.clear();
    for (const listener of lost) listener.ended({ code: null, signal: null });
  }
}

/** Of this process. */
export const processLauncher = new ProcessLauncher();
