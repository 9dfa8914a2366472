import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * What the embedded database runs, kept for as long as this process runs test files: V8 shares the machine code of a
 * module among all threads that load the same bytes while one of them holds it. Without, each start of a database
 * compiles it anew, and so do its first statements.
 */
export const engine = process.env.TEST_DATABASE_URL ? undefined : compileEngine();

function compileEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')));
}

/** What jest leaves on the global object for one test file: the state of its runner, timeouts, retries and matchers. */
const OF_JEST = /jest|TEST_TIMEOUT|RETRY|LOG_ERRORS|WAIT_BEFORE|EVENT_HANDLERS/i;

/** Where expectations keep their state; it cannot be deleted. */
const EXPECTATIONS = Symbol.for('$$jest-matchers-object');

/** @type {Environment | undefined} */
let shared;

/**
 * Node, as jest has it, but one for all test files of a process: together with `runtime.js` the packages and the
 * application are loaded once in it, as loading them took most of the time of most files. What a file puts in the place
 * of a global, of `process.exit` or of an environment variable is undone after it; what packages keep on the global
 * object stays. A file whose first comment has `@own-modules` gets an environment and modules of its own, and so does
 * each file while jest watches, since the application changes then. Jest loads this module once in each process.
 */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    const isShared =
      !('own-modules' in context.docblockPragmas) && !config.globalConfig.watch && !config.globalConfig.watchAll;
    if (isShared && shared) return shared;
    if (!isShared) {
      super(config, context);
      return;
    }
    const { createContext } = vm;
    // Jest's own asks a proxy for each global that the code reads, which half of the time of building a schema went to.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    this.isShared = true;
    shared = this;
    const { global } = this;
    this.globals = new Map(Reflect.ownKeys(global).map((key) => [key, Object.getOwnPropertyDescriptor(global, key)]));
    this.environmentVariables = { ...global.process.env };
    this.exit = global.process.exit;
  }

  async teardown() {
    if (!this.isShared) return super.teardown();
    this.fakeTimers.useRealTimers();
    this.fakeTimersModern.useRealTimers();
    this.restoreGlobals();
    this.restoreProcess();
  }

  /** Timers and sockets that outlive a file remember the hook that began them, and so all that the file has started. */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forgetFunctions(rootDescribeBlock);
  }

  restoreGlobals() {
    const { global } = this;
    for (const key of Reflect.ownKeys(global)) {
      const before = this.globals.get(key);
      if (before === undefined && typeof key === 'symbol' && OF_JEST.test(key.description))
        Reflect.deleteProperty(global, key);
      else if (before?.configurable && !isSame(before, Object.getOwnPropertyDescriptor(global, key)))
        Object.defineProperty(global, key, before);
    }
    const expectations = global[EXPECTATIONS];
    if (expectations)
      Object.assign(expectations, { customEqualityTesters: [], matchers: Object.create(null), state: noState() });
  }

  restoreProcess() {
    const { process } = this.global;
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.environmentVariables)) delete process.env[name];
    Object.assign(process.env, this.environmentVariables);
  }
}

function forgetFunctions({ hooks, children }) {
  for (const part of [...hooks, ...children]) {
    if (part.type === 'describeBlock') forgetFunctions(part);
    else part.fn = part.asyncError = undefined;
  }
}

function isSame(before, now) {
  return now !== undefined && before.value === now.value && before.get === now.get;
}

/** Of expectations, before the first of a file. */
function noState() {
  return {
    assertionCalls: 0,
    expectedAssertionsNumber: null,
    isExpectingAssertions: false,
    numPassingAsserts: 0,
    suppressedErrors: [],
  };
}
