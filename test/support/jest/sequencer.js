import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const TEST = join(import.meta.dirname, '../..');

/** One for each worker, which loads the application with it: in a clean clone that takes longer than most files. */
const FIRST = ['http/cors', 'http/graphql-sse', 'rest/large-bodies'];
/**
 * The files that take longest. Started last, one of them would leave a core idle; jest knows the times itself only where it
 * has run before, which a clean clone has not.
 */
const LONGEST = [
  'cli/backup',
  ...[1, 2, 3, 4, 5, 6].map((part) => `access/access-matrix/access-matrix-${part}`),
  'http/fuzz',
];

const places = new Map([...FIRST, ...LONGEST].map((name, place) => [join(TEST, `${name}.test.ts`), place]));
for (const file of places.keys()) if (!existsSync(file)) throw new Error(`${file} is no test file any more.`);

/** Starts the longest test files early, the others in the order that jest has for them. */
export default class Sequencer extends TestSequencer {
  async sort(tests) {
    const placeOf = ({ path }) => places.get(path) ?? places.size;
    return (await super.sort(tests)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
