import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const TEST = join(import.meta.dirname, '../..');

/**
 * The files that take longest, and about how many seconds. Started last, one of them would leave a core idle; jest
 * knows the times itself only where it has run before, which a clean clone has not.
 */
const SECONDS = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((part) => [`access/access-matrix/access-matrix-${part}`, 40])),
  'platform/blobs/killed-blobs.proof': 130,
  'cli/rotate-secret-key': 125,
  'cli/commands': 110,
  'researcher/injections/injected-pages': 95,
  'http/fuzz': 84,
  'inference/backends/health/callers-mistakes': 83,
  'identity/tokens/signing-keys': 79,
  'identity/users/no-escalation': 68,
  'identity/directories/directory-sync-memory.proof': 68,
  'identity/directories/directory-sync-safety.full': 63,
  'researcher/resilience/model-down': 58,
  'inference/backends/routing/many-backends': 57,
  'identity/directories/directory-sync-crash.proof': 55,
  'platform/blobs/blobs': 55,
  'platform/database/embedded-database': 47,
  'proof/research-corpus/research-corpus': 47,
  'http/connections': 45,
  'platform/extraction/web/hostile-web-pages': 42,
  'researcher/trap-site/changing-hosts': 40,
  'identity/directories/directory-sync-authority': 39,
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
