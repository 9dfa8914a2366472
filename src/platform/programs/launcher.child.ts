/**
 * Runs in a small process of its own (`process-launcher.ts`): starts processes for the server, gives it the socket of
 * each, and tells how each has ended. It ends with the server, and so do they.
 */
import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import type { Socket } from 'node:net';
import type { Launch, ProcessEnd, ProcessStart } from './launch.types.js';

const SHELL = '/bin/sh';
/** A third of the server's weight where both want the same processor; all of it where nothing else does. */
const NICENESS = 5;
/** Has a program write to the socket that it reads from. */
const ON_ONE_SOCKET = 'exec "$0" "$@" >&0';
/** Nothing of the server's own environment is for a program. */
const ENVIRONMENT = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

/** How often it is looked whether the server is still there, in milliseconds. */
const SERVER_CHECK_MS = 500;

/** Programs that run. Children of Node's watch over their parent. */
const programs = new Set<number>();

process.on('disconnect', end);
// Node tells nothing where the server ended while this process began, or while a socket was on its way to it.
setInterval(() => {
  if (!process.connected) end();
}, SERVER_CHECK_MS).unref();
process.on('message', (launch) => start(launch as Launch));
// A terminal, or a supervisor, signals all processes at once; this one is needed until the server has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function end(): void {
  for (const pid of programs) kill(pid);
  process.exit();
}

function start(launch: Launch): void {
  try {
    startProcess(launch);
  } catch {
    // Some of what a system lacks, such as memory, is thrown.
    tell({ id: launch.id, code: null, signal: null });
  }
}

function startProcess({ id, program, args, folder = '/' }: Launch): void {
  const isNode = program === undefined;
  const [command, all] = isNode ? [process.execPath, args] : [SHELL, ['-c', ON_ONE_SOCKET, program, ...args]];
  const started = spawn(command, all, {
    cwd: folder,
    env: isNode ? {} : ENVIRONMENT,
    // With a group of its own its programs end with it.
    detached: true,
    // The first is both its input and its answers. What libraries complain about may quote the file.
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { pid, stdin } = started;
  const tellEnd = (code: number | null, signal: NodeJS.Signals | null) => {
    if (pid !== undefined) programs.delete(pid);
    tell({ id, code, signal });
  };
  started.on('error', () => tellEnd(null, null));
  started.on('exit', tellEnd);
  // Without descriptors for its socket there is no process.
  if (pid === undefined || !stdin) return;
  if (!isNode) {
    programs.add(pid);
    giveWay(pid);
  }
  stdin.on('error', () => undefined);
  const told: ProcessStart = { id, pid };
  process.send?.(told, stdin as Socket, {}, () => undefined);
}

/** What computes for one caller leaves the processors to the server, which answers all of them. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS));
  } catch {
    // It has ended meanwhile.
  }
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function tell(end: ProcessEnd): void {
  // The server is gone: so is this process, at once.
  process.send?.(end, undefined, {}, () => undefined);
}
