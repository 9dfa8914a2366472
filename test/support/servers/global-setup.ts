import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A disk in memory: a test file copies a thousand small files for each database folder. */
const MEMORY_DISK = '/dev/shm';
/** What a run may take of it, in bytes: containers often have one of 64 MB. */
const MEMORY_DISK_BYTES = 4 * 1024 ** 3;
const PREFIX = 'platform-tests-';

/**
 * Gives the run a temporary folder of its own, which is removed after it with whatever tests have left there, and makes
 * the template that the test databases are copies of, in a process of its own: jest does not transform what its global
 * setup imports, and the entities have decorators.
 */
export default function globalSetup(): void {
  const parent = hasMemoryDisk() ? MEMORY_DISK : tmpdir();
  removeOldRuns(parent);
  process.env.TMPDIR = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  const script = fileURLToPath(new URL('./global-setup-template.js', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' });
}

function hasMemoryDisk(): boolean {
  if (!existsSync(MEMORY_DISK)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= MEMORY_DISK_BYTES;
}

/** A run that was killed could not remove its folder. */
function removeOldRuns(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
