import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const TEST = join(import.meta.dirname, '../..');

/**
 * The files that take longest, and about how many seconds. Started last, one of them would leave a core idle; jest
 * knows the times itself only where it has run before, which a clean clone has not.
 */
const SECONDS = {
  'http/fuzz': 120,
  'identity/users/no-escalation': 80,
  'access/access-matrix': 67,
  'cli/commands': 60,
  'cli/rotate-secret-key': 60,
  'identity/directories/directory-sync-crash': 60,
  'inference/backends/health/callers-mistakes': 55,
  'graph/served-subgraphs': 50,
  'identity/directories/directory-sync-safety': 49,
  'inference/backends/routing/many-backends': 46,
  'http/connections': 44,
  'identity/tokens/signing-keys': 42,
  main: 40,
  'platform/jobs/job-queue': 31,
  'platform/database/embedded-database': 30,
  'http/drain': 30,
  'admission/endless-subscriptions': 29,
  'http/socket-limits': 23,
  'inference/backends/openai/hostile-upstreams': 22,
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
