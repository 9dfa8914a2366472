import base from './jest.config.js';

/** `npm run test:full`: the same files on PostgreSQL and Redis, and those that need installed programs and clients. */
export default { ...base, testPathIgnorePatterns: ['/node_modules/', '\\.proof\\.test\\.ts$'] };
