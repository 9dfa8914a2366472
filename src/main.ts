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
const { LogOutput } = await import('./platform/telemetry/log-output.js');
const { endOnSignals } = await import('./shutdown.js');
const { printStartupBanner } = await import('./startup-banner.js');

/** How long a failed start may take to close what it has opened, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

// Who reads them may go away. To touch them is also what makes writes to a full pipe fail instead of waiting for its reader.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let app: App | undefined;
try {
  const config = readConfig();
  const output = new LogOutput(process.stdout.fd);
  process.once('exit', () => output.flushSync());
  const log = createLog(config.logLevel, output);
  handleUncaughtErrors(log);
  app = await createApp(config, log);
  const address = await app.listen();
  printStartupBanner(config, address, app.ports.bootstrapAdmin);
  log.info({ address, version: process.version }, 'serving');
  endOnSignals({ app, log, output, seconds: config.shutdownSeconds });
} catch (error) {
  console.error(describeFailure(error));
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS);
  await app?.close().catch(() => undefined);
  process.exit(1);
}
