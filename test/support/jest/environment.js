import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';

/**
 * What the embedded database runs, kept for as long as this process runs test files: V8 shares the machine code of a
 * module among all threads that load the same bytes while one of them holds it. Without, each start of a database
 * compiles it anew, and so do its first statements.
 */
export const engine = process.env.TEST_DATABASE_URL ? undefined : compileEngine();

function compileEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')));
}

/** Node, as jest has it. Jest loads this file once in each of its processes, outside of the test files' contexts. */
export default class Environment extends TestEnvironment {}
