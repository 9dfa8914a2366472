/**
 * Runs in a small process of its own (`child-launcher.ts`): starts children for the server, gives it the socket of each,
 * and tells how each has ended. It ends with the server, and so do they.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ChildEnd, ChildStart, Launch } from './launch.types.js';

process.on('message', (launch) => start(launch as Launch));
process.on('disconnect', () => process.exit());
// A terminal, or a supervisor, signals all processes at once; this one is needed until the server has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function start(launch: Launch): void {
  try {
    startChild(launch);
  } catch {
    // Some of what a system lacks, such as memory, is thrown.
    tell({ id: launch.id, code: null, signal: null });
  }
}

function startChild({ id, args }: Launch): void {
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env: {},
    // With a group of its own its programs end with it.
    detached: true,
    // The first is both its input and its answers. What libraries complain about may quote the file.
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const end = (code: number | null, signal: NodeJS.Signals | null) => tell({ id, code, signal });
  child.on('error', () => end(null, null));
  child.on('exit', end);
  // Without descriptors for its socket there is no process.
  if (child.pid === undefined || !child.stdin) return;
  child.stdin.on('error', () => undefined);
  const started: ChildStart = { id, pid: child.pid };
  process.send?.(started, child.stdin as Socket, {}, () => undefined);
}

function tell(end: ChildEnd): void {
  // The server is gone: so is this process, at once.
  process.send?.(end, undefined, {}, () => undefined);
}
