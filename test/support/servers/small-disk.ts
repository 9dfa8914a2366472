import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';

/** A disk of its own, in memory. Needs the right to mount one. */
export class SmallDisk {
  readonly path: string = mkdtempSync(join(tmpdir(), 'small-disk-'));

  constructor(mebibytes: number) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', this.path], { stdio: 'ignore' });
  }

  setReadOnly(isReadOnly: boolean): void {
    execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.path]);
  }

  /** Deletes what lies in a folder. */
  clear(folder: string): void {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  }

  remove(): void {
    execFileSync('umount', [this.path]);
    rmSync(this.path, { recursive: true });
  }
}

/** What needs a disk of its own: a machine on which this user may mount one. */
export const onSmallDisk = canMount() ? { describe } : { describe: describe.skip };

function canMount(): boolean {
  try {
    new SmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
