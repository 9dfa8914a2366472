import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the benchmark that serves an address. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Whether the server under test has a core to itself, and everything else the others. */
export const pinned: boolean = availableParallelism() > 1 && canPin();

function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true']);
    return true;
  } catch {
    return false;
  }
}

/** Leaves the first core to the server under test; processes that are started later inherit that. */
export function leaveFirstCore(): void {
  if (pinned) execFileSync('taskset', ['-a', '-c', '-p', `1-${availableParallelism() - 1}`, String(process.pid)]);
}

interface Start {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Runs on the first core. */
  readonly underTest: boolean;
}

/** Starts a Node process, its output into a file, and waits until it has printed its port. */
export async function startNode({ args, env, logFile, underTest }: Start): Promise<ServerProcess> {
  const output = openSync(logFile, 'w');
  const command = [process.execPath, ...args];
  if (underTest && pinned) command.unshift('taskset', '-c', '0');
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output],
  });
  const port = await printedPort(child, logFile);
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function printedPort(child: ChildProcess, logFile: string): Promise<string> {
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const port = /"port":(\d+)|"address":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(text);
    if (port) return port[1] ?? port[2] ?? '';
    if (child.exitCode !== null) throw new Error(`A process did not start:\n${text}`);
    await sleep(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** The resident memory of a process in KiB. */
export function residentKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** The processor time that a process has used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Starts a PostgreSQL of the benchmark's own in a folder. */
export async function startPostgres(folder: string): Promise<{ url: string; stop(): void }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  // Its output goes into files: the server would keep a pipe open.
  execFileSync('scripts/postgres.sh', ['start', folder, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => void execFileSync('scripts/postgres.sh', ['stop', folder], { stdio: 'ignore' }),
  };
}
