import base from './jest.config.js';

/** `npm run proof -- NAME`: what takes long, kills processes, or measures time and memory. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.proof.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
};
