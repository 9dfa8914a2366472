import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const TEST = join(import.meta.dirname, '../..');

/**
 * The files that take longest, and about how many seconds. Started last, one of them would leave a core idle; jest
 * knows the times itself only where it has run before, which a clean clone has not.
 */
const SECONDS = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((part) => [`access/access-matrix/access-matrix-${part}`, 20])),
  'http/fuzz': 20,
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
