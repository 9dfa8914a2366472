import { Origin } from '../../../src/platform/net/egress.js';

/** A process that asks a server which never answers, gives up by a timeout, and tells that it goes on. */
const [, , baseUrl = ''] = process.argv;
const origin = new Origin({ baseUrl, headers: {}, maxConnections: 1, timeoutSeconds: 30 });
try {
  await origin.request({ method: 'GET', path: '/models', signal: AbortSignal.timeout(200) });
} catch (error) {
  process.stdout.write(`${(error as Error).name}\n`);
}
await origin.close();
setTimeout(() => process.stdout.write('goes on\n'), 100);
