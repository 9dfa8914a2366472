import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationalError } from '../operational-error.js';

/** A data folder that is held by this process. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes a data folder for this process alone: two processes would spoil it.
 * Each process writes a lock file of its own name before it looks for others, so of two that start at once
 * none can miss the other. The name tells the process and its start time; locks of dead processes are removed.
 * @throws OperationalError that names the process which holds the folder
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const ownName = `lock.${process.pid}.${await startTime(process.pid)}`;
  const ownPath = join(folder, ownName);
  await writeFile(ownPath, '', { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? inUse(folder, process.pid) : error;
  });
  for (const name of await readdir(folder)) {
    const [, pid, start] = /^lock\.(\d+)\.(\d+)$/.exec(name) ?? [];
    if (pid === undefined || name === ownName) continue;
    if ((await startTime(Number(pid))) === start) {
      await rm(ownPath, { force: true });
      throw inUse(folder, Number(pid));
    }
    await rm(join(folder, name), { force: true });
  }
  return { release: () => rm(ownPath, { force: true }) };
}

function inUse(folder: string, pid: number): OperationalError {
  return new OperationalError(
    `The data folder ${folder} is in use by process ${pid}. Stop it, or set another DATA_DIR.`,
  );
}

/** When a process started, in the system's own unit; undefined where there is none. Tells apart processes that reuse an id. */
async function startTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return isAlive(pid) ? '0' : undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field, the program's name in brackets, may hold spaces and brackets itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
