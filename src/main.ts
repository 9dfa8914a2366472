import type { App } from './app.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `This server needs Node 24.7 or newer, and this is ${process.version}. On Linux npm brings it: start with \`npm start\`.`,
  );
  process.exit(1);
}

// What all objects inherit from gets no more members, whatever name some data has. It would be in everything then.
Object.preventExtensions(Object.prototype);

// Imported only now: an older Node could not even load them.
const { readConfig } = await import('./config.js');
const { createApp } = await import('./app.js');
const { handleUncaughtErrors, describeFailure } = await import('./unhandled-errors.js');
const { createLog } = await import('./platform/telemetry/log.js');
const { printStartupBanner } = await import('./startup-banner.js');

/** How long a failed start may take to close what it has opened, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

let app: App | undefined;
try {
  const config = readConfig();
  const log = createLog(config.logLevel);
  handleUncaughtErrors(log);
  app = await createApp(config, log);
  const address = await app.listen();
  printStartupBanner(config, address, app.ports.bootstrapAdmin);
  log.info({ address, version: process.version }, 'serving');
  endOnSignals(app, log.info.bind(log));
} catch (error) {
  console.error(describeFailure(error));
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS);
  await app?.close().catch(() => undefined);
  process.exit(1);
}

/** Ends in good order on the first signal, at once on the second. */
function endOnSignals(running: App, info: (text: string) => void): void {
  let ending = false;
  const end = (signal: string): void => {
    if (ending) process.exit(1);
    ending = true;
    info(`${signal}: finishing open work`);
    void running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(describeFailure(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
