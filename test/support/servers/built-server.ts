import { execFileSync } from 'node:child_process';
import { closeSync, globSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../probes/eventually.js';

const ROOT = join(import.meta.dirname, '../../..');
/** By this variable processes keep what V8 has compiled: to compile the server takes each a core for half a second. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') } as const;
/** The compiler writes it where something has changed. */
const BUILT = join(ROOT, 'dist/.tsbuildinfo');
const LOCK = join(ROOT, 'node_modules/.cache/server-build.lock');
/** Longer than any build takes: whoever held the lock has died. */
const STALE_MS = 60_000;

/** Builds `dist/` where it is older than `src/`. Test files that run at the same time build it once. */
export async function buildServer(): Promise<void> {
  mkdirSync(join(LOCK, '..'), { recursive: true });
  await eventually('no other process builds the server', 600, lock);
  try {
    const sources = globSync('src/**/*.ts', { cwd: ROOT });
    const newest = Math.max(...sources.map((file) => modifiedAt(join(ROOT, file))));
    if (modifiedAt(BUILT) > newest) return;
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: ROOT });
    utimesSync(BUILT, new Date(), new Date());
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function lock(): boolean {
  try {
    closeSync(openSync(LOCK, 'wx'));
    return true;
  } catch {
    if (Date.now() - modifiedAt(LOCK) > STALE_MS) rmSync(LOCK, { force: true });
    return false;
  }
}

/** 0 where there is no such file. */
function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
