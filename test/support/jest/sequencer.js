import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const TEST = join(import.meta.dirname, '../..');

/**
 * The files that take longest, and about how many seconds. Started last, one of them would leave a core idle; jest
 * knows the times itself only where it has run before, which a clean clone has not.
 */
const SECONDS = {
  'cli/rotate-secret-key': 75,
  'http/fuzz': 67,
  'identity/directories/directory-sync-safety': 61,
  'cli/commands': 53,
  'identity/users/no-escalation': 47,
  'identity/directories/directory-sync-crash': 46,
  'http/connections': 42,
  'inference/backends/health/callers-mistakes': 40,
  'identity/directories/directory-sync-authority': 36,
  'identity/directories/directory-sync-memory': 35,
  'identity/directories/directory-sync': 35,
  'access/access-matrix': 35,
  'platform/jobs/job-queue': 25,
  'inference/backends/routing/many-backends': 24,
  main: 21,
  'identity/tokens/signing-keys': 21,
  'inference/backends/openai/hostile-upstreams': 20,
  'platform/database/embedded-database': 19,
  'graph/served-subgraphs': 19,
  'platform/jobs/job-deaths': 19,
};

const secondsOf = new Map(Object.entries(SECONDS).map(([name, seconds]) => [join(TEST, `${name}.test.ts`), seconds]));
for (const file of secondsOf.keys()) if (!existsSync(file)) throw new Error(`${file} is no test file any more.`);

/** Starts the longest test files first, the others in the order that jest has for them. */
export default class Sequencer extends TestSequencer {
  async sort(tests) {
    const seconds = ({ path }) => secondsOf.get(path) ?? 0;
    return (await super.sort(tests)).toSorted((a, b) => seconds(b) - seconds(a));
  }
}
