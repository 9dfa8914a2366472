import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PeriodicTask } from '../async/periodic.js';
import { SharedBudget } from '../async/shared-budget.js';
import type { BudgetOwner, BudgetShares } from '../async/shared-budget.js';
import type { ProcessLease } from '../cluster/process-lease.js';
import type { Gauge } from '../telemetry/metrics.js';
import type { DiskConfig } from './config.js';
import type { DiskSpace } from './disk-space.js';
import { ScratchFolder } from './scratch-folder.js';

/** In the data folder. */
const NAME = 'scratch';

const SWEEP_MS = 60_000;

interface ScratchParts {
  readonly config: Pick<DiskConfig, 'scratchBytes'> & { readonly dataDir: string };
  readonly lease: Pick<ProcessLease, 'id' | 'listAlive'>;
  readonly disk: DiskSpace;
}

/**
 * Files that are needed on a disk while something is worked on, within SCRATCH_BYTES: half of it for a tenant, a quarter
 * for a user. Each process has a folder of its own below `DATA_DIR/scratch`; those of processes that have ended are deleted
 * at the start and, since it takes a moment until a process counts as ended, every minute.
 */
export class Scratch {
  /** Where the files of this process lie. Absolute. */
  readonly root: string;
  private readonly shares: BudgetShares;
  private readonly budget: SharedBudget;

  private constructor(
    private readonly folder: string,
    private readonly parts: ScratchParts,
  ) {
    const { scratchBytes: all } = parts.config;
    this.root = join(folder, parts.lease.id);
    this.shares = { all, tenant: Math.floor(all / 2), user: Math.floor(all / 4) };
    this.budget = new SharedBudget(this.shares);
  }

  /** @throws what the file system throws */
  static async open(parts: ScratchParts): Promise<Scratch> {
    const scratch = new Scratch(resolve(parts.config.dataDir, NAME), parts);
    await mkdir(scratch.root, { recursive: true, mode: 0o700 });
    await scratch.sweep();
    return scratch;
  }

  /** What is set aside, for the metrics. */
  get gauge(): Gauge {
    return {
      name: 'platform_scratch_bytes',
      help: `Disk that is set aside for files of requests and jobs in progress, of ${this.shares.all} bytes at most.`,
      labels: [],
      read: () => [{ value: this.budget.held }],
    };
  }

  /**
   * Makes an empty folder that only its owner may enter.
   * @param owner whose share its files take; undefined: that of nobody
   * @throws what the file system throws
   */
  async folderFor(owner: BudgetOwner | undefined): Promise<ScratchFolder> {
    const path = join(this.root, randomUUID());
    await mkdir(path, { mode: 0o700, recursive: true });
    return new ScratchFolder(path, { owner, budget: this.budget, shares: this.shares, disk: this.parts.disk });
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
    const { lease } = this.parts;
    const alive = new Set(await lease.listAlive());
    for (const name of await readdir(this.folder)) {
      if (name === lease.id || alive.has(name)) continue;
      await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}
