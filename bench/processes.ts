import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the benchmark that serves one address or several. */
export interface ServerProcess {
  /** The first of its origins. */
  readonly origin: string;
  readonly origins: readonly string[];
  readonly pid: number;
  stop(): Promise<void>;
}

const START_SECONDS = 60;
/** Longer than a server under test may take to let its streams end. */
const STOP_SECONDS = 15;
/** Of the machine: asked now, since a process that has left the first core is told one less. */
const CORES = availableParallelism();

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
  const others = `1-${availableParallelism() - 1}`;
  if (pinned) execFileSync('taskset', ['-a', '-c', '-p', others, String(process.pid)], { stdio: 'ignore' });
}

/** How a Node process is started. */
export interface Start {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Runs on the first core, alone there, or beside the others on all. */
  readonly underTest: boolean | 'on all cores';
}

/** The Node processes of a benchmark, so that none outlives it. */
export class Processes {
  private readonly running = new Set<ChildProcess>();
  private isClosed = false;

  /** Starts a process, its output into a file, and waits until it has printed its ports. */
  async serve(start: Start): Promise<ServerProcess> {
    const child = this.spawn(start);
    const origins = (await printedPorts(child, start.logFile)).map((port) => `http://127.0.0.1:${port}`);
    return { origin: origins[0] ?? '', origins, pid: child.pid ?? 0, stop: () => stop(child) };
  }

  /** Runs a process to its end; answers what it printed. */
  async run(start: Start): Promise<string> {
    const child = this.spawn(start);
    if (!hasEnded(child)) await once(child, 'exit');
    const text = readFileSync(start.logFile, 'utf8');
    if (child.exitCode !== 0) throw new Error(`A process failed:\n${text}`);
    return text;
  }

  /** Ends whatever runs; nothing can be started afterwards. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.running].map(stop));
  }

  private spawn({ args, env, logFile, underTest }: Start): ChildProcess {
    if (this.isClosed) throw new Error('The benchmark is over.');
    const command = [process.execPath, ...args];
    const cores = underTest === 'on all cores' ? `0-${CORES - 1}` : '0';
    if (underTest && pinned) command.unshift('taskset', '-c', cores);
    const output = openSync(logFile, 'w');
    const child = spawn(command[0] ?? '', command.slice(1), {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    return child;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function printedPorts(child: ChildProcess, logFile: string): Promise<string[]> {
  const endsAt = performance.now() + START_SECONDS * 1_000;
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const line = /^.*("port":|"address":"http:).*\n/m.exec(text)?.[0] ?? '';
    const ports = [...line.matchAll(/"port":(\d+)|"address":"http:\/\/127\.0\.0\.1:(\d+)"/g)];
    if (ports.length > 0) return ports.map(([, plain, inAddress]) => plain ?? inAddress ?? '');
    if (hasEnded(child) || performance.now() > endsAt) throw new Error(`A process did not start:\n${text}`);
    await sleep(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1_000);
  await exited;
  clearTimeout(timer);
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

/** How long the main thread of a process, which runs its event loop, was ready to run so far and had no core, in seconds. */
export function secondsWaitedForCore(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;
}
