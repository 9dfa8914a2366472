import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const TEST = join(import.meta.dirname, '../../');
const TEST_URL = pathToFileURL(TEST).href;
const Runtime = JestRuntime.default ?? JestRuntime;

/** @type {SharedRuntime | undefined} */
let shared;

/**
 * Jest's module loader, but one for all test files of a process: the packages and the application stay loaded, the
 * tests and what supports them are loaded anew by each file. See `environment.js`.
 */
export default class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    if (environment.isShared && shared) {
      shared.startFile(testPath);
      return shared;
    }
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    this.isShared = environment.isShared;
    if (this.isShared) shared = this;
  }

  startFile(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
  }

  teardown() {
    if (!this.isShared) return super.teardown();
    this.restoreAllMocks();
    const { esModuleRegistry, moduleRegistry, internalModuleRegistry } = this.registries;
    for (const [key, module] of esModuleRegistry)
      if (key.startsWith(TEST_URL) || key.startsWith('@jest/globals') || module.status !== 'evaluated')
        esModuleRegistry.delete(key);
    for (const [path, module] of moduleRegistry)
      if (path.startsWith(TEST) || !module.loaded) moduleRegistry.delete(path);
    // Jest's own runner and expectations, which know the file they were loaded for.
    internalModuleRegistry.clear();
    this.testMainModule.reset();
    this.fileCache.clear();
    this.jestGlobals.clearJestObjectCache();
    this.jestGlobals.cachedEnvGlobals = undefined;
    this.jestGlobals.envGlobalsOverride = undefined;
    this.loggedReferenceErrors.clear();
  }
}
