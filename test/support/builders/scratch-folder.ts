import { pino } from 'pino';
import { SharedBudget } from '../../../src/platform/async/shared-budget.js';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { ScratchFolder } from '../../../src/platform/scratch/scratch-folder.js';

const MOST = Number.MAX_SAFE_INTEGER;

/** A folder that exists, for the files of one piece of work, whose bytes nobody counts. */
export function scratchFolderAt(path: string): ScratchFolder {
  const shares = { all: MOST, tenant: MOST, user: MOST };
  const disk = new DiskSpace(0, pino({ level: 'silent' }));
  return new ScratchFolder(path, { owner: undefined, budget: new SharedBudget(shares), shares, disk });
}
