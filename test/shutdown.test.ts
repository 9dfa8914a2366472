import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from './support/probes/eventually.js';
import { createTestDatabaseFolder } from './support/servers/database.js';
import type { TestDatabase } from './support/servers/database.js';
import { ServerProcess } from './support/servers/server-process.js';

describe("the end of a server's process", () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabaseFolder();
  });
  afterEach(() => database.drop());

  it.each(['is gone', 'sleeps'] as const)('comes in good order where the reader of its log %s', async (how) => {
    const server = await ServerProcess.start({ ...database.env, SHUTDOWN_SECONDS: '20' });
    const [, address] = await server.says(/serving at (http\S+)/);
    await server.says(/"serving"/);
    server.stopReading(how);
    await fillLog(String(address));

    server.signal('SIGTERM');
    const { code } = await server.ending();

    expect(code).toBe(0);
  });

  it('comes at once at a second signal, though a request is open and the reader of its log is gone', async () => {
    const server = await ServerProcess.start({ ...database.env, SHUTDOWN_SECONDS: '3600' });
    const [, address] = await server.says(/serving at (http\S+)/);
    await server.says(/"serving"/);
    const { port, hostname } = new URL(String(address));
    const open = connect(Number(port), hostname).on('error', () => undefined);
    open.write(
      'POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
    server.stopReading('is gone');
    await fillLog(String(address));

    server.signal('SIGTERM');
    await eventually('it is ending', 20, async () => (await fetch(`${address}/health/ready`)).status === 503);
    server.signal('SIGTERM');
    const { code } = await server.ending();

    open.destroy();
    expect(code).toBe(1);
  });
});

/** More than a pipe holds. */
async function fillLog(address: string): Promise<void> {
  const ask = () => fetch(`${address}/v1/auth/me`, { headers: { 'x-request-id': 'x'.repeat(128) } });
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 20 }, ask));
}
