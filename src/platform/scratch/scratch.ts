import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PeriodicTask } from '../async/periodic.js';
import type { ProcessLease } from '../cluster/process-lease.js';

/** In the data folder. */
const NAME = 'scratch';

const SWEEP_MS = 60_000;

/** A folder for the files of one piece of work, which are deleted with it. */
export interface ScratchFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/**
 * Files that programs need on a disk while something is worked on. Each process has a folder of its own below
 * `DATA_DIR/scratch`; those of processes that have ended are deleted at the start and, since it takes a moment until a
 * process counts as ended, every minute.
 */
export class Scratch {
  /** Where the files of this process lie. Absolute. */
  readonly root: string;

  private constructor(
    private readonly folder: string,
    private readonly lease: Pick<ProcessLease, 'id' | 'listAlive'>,
  ) {
    this.root = join(folder, lease.id);
  }

  /** @throws what the file system throws */
  static async open(dataDir: string, lease: Pick<ProcessLease, 'id' | 'listAlive'>): Promise<Scratch> {
    const scratch = new Scratch(resolve(dataDir, NAME), lease);
    await mkdir(scratch.root, { recursive: true, mode: 0o700 });
    await scratch.sweep();
    return scratch;
  }

  /** Makes an empty folder that only its owner may enter. @throws what the file system throws */
  async folderFor(): Promise<ScratchFolder> {
    const path = join(this.root, randomUUID());
    await mkdir(path, { mode: 0o700, recursive: true });
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
  }

  /** Deletes what ended processes have left. */
  get task(): PeriodicTask {
    return { name: 'deleting files of ended processes', intervalMs: SWEEP_MS, run: () => this.sweep() };
  }

  /** Deletes the files of this process. */
  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private async sweep(): Promise<void> {
    const alive = new Set(await this.lease.listAlive());
    for (const name of await readdir(this.folder)) {
      if (name === this.lease.id || alive.has(name)) continue;
      await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}
