/**
 *   npm run test:changed
 *
 * Runs the tests of what the working tree changes beside the last commit: the tests in the folder of each changed source
 * or REST document, those of the documentation for its pages, and the test files that are changed or import a changed file of `test/`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

const files = new Set<string>();
const supports: string[] = [];
for (const path of changed) {
  const source = /^src\/(.*)$/.exec(path)?.[1] ?? /^schema\/rest\/(.*)$/.exec(path)?.[1];
  if (path.endsWith('.md')) for (const file of globSync('test/docs/*.test.ts')) files.add(file);
  else if (source !== undefined) for (const file of testsBeside(source)) files.add(file);
  else if (path.endsWith('.test.ts') && existsSync(path)) files.add(path);
  else if (path.startsWith('test/') && existsSync(path)) supports.push(path);
}

if (files.size === 0 && supports.length === 0) console.log('Nothing has changed that has tests.');
else process.exitCode = Math.max(run([...files]), run(supports, '--findRelatedTests'));

/** The test files in the deepest folder of `test/` that mirrors the folder of a source file. */
function testsBeside(source: string): string[] {
  let folder = dirname(source);
  while (folder !== '.' && !existsSync(join('test', folder))) folder = dirname(folder);
  return globSync(folder === '.' ? 'test/*.test.ts' : `test/${folder}/**/*.test.ts`);
}

/** @returns the exit code */
function run(paths: readonly string[], ...options: string[]): number {
  if (paths.length === 0) return 0;
  return spawnSync('npm', ['test', '--', ...options, '--passWithNoTests', ...paths], { stdio: 'inherit' }).status ?? 1;
}
