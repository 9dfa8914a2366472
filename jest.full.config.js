import { readFileSync } from 'node:fs';
import base from './jest.config.js';

const { TEST_FILES } = process.env;

/**
 * `npm run test:full`: the same files on PostgreSQL and Redis, and those that need installed programs and clients; of
 * them those that the file `TEST_FILES` lists, where it is set.
 */
export default {
  ...base,
  testMatch: TEST_FILES ? readFileSync(TEST_FILES, 'utf8').trim().split('\n') : base.testMatch,
  testPathIgnorePatterns: ['/node_modules/', '\\.proof\\.test\\.ts$'],
};
