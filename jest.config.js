/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // What a contributor runs: Node alone, every behaviour once. See CONTRIBUTING.md for the other suites.
  testPathIgnorePatterns: ['/node_modules/', '\\.(full|proof)\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*(?<!\\.json))\\.js$': '$1' },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2023',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/servers/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/servers/global-teardown.ts',
  // One more than the cores of the smallest machine: a quarter of the time is spent waiting for timers and processes.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
  // For what hangs: no test depends on how long it takes, and a busy machine takes ten times as long.
  testTimeout: 120_000,
};
