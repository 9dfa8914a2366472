import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The resident memory of a process and of the programs that it has started, in bytes. 0 where the system does not tell,
 * as on macOS, or the process has ended.
 */
export function residentBytes(pid: number): number {
  const programs = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...programs.map(Number)].reduce((sum, one) => sum + residentBytesOf(one), 0);
}

/** Has the system end this process first when its memory runs out; where that cannot be said, nothing is. */
export function endFirstWithoutMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Not on Linux, or the process has ended.
  }
}

function residentBytesOf(pid: number): number {
  const [, kibibytes = 0] = /^VmRSS:\s*(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kibibytes) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
