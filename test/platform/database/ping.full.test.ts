import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import type { Database } from '../../../src/platform/database/database.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { createTestDatabase } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';

onPostgres.describe('a ping of PostgreSQL', () => {
  let [stored, proxy, database]: [TestDatabase, Server, Database] = [] as never;
  const clients = new Set<Socket>();
  const silent = new Set<Socket>();
  const unheard = Promise.withResolvers<void>();
  beforeAll(begin);
  afterAll(end);

  it('drops a connection that has fallen silent, so that the next ping is answered', async () => {
    const timeout = new AbortController();
    silence();
    const late = database.ping(timeout.signal);
    await unheard.promise;
    timeout.abort(new Error('late'));

    await expect(late).rejects.toThrow('late');
    await expect(database.ping(new AbortController().signal)).resolves.toBeUndefined();
  });

  /** What the server says on the connections that are open now gets lost. */
  function silence(): void {
    for (const client of clients) silent.add(client);
  }

  async function begin(): Promise<void> {
    stored = await createTestDatabase();
    const url = new URL(stored.env.DATABASE_URL ?? '');
    const { hostname, port } = url;
    proxy = createServer((client) => {
      const server = createConnection(Number(port || 5432), hostname);
      clients.add(client);
      client.on('error', () => undefined).on('close', () => server.destroy());
      client.pipe(server);
      server.on('error', () => client.destroy()).on('close', () => client.destroy());
      server.on('data', (bytes) => (silent.has(client) ? unheard.resolve() : client.write(bytes)));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    database = await openDatabase(readConfig({ ...stored.env, DATABASE_URL: url.href }), schema, silentLog);
  }

  async function end(): Promise<void> {
    await database.close();
    proxy.close();
    await stored.drop();
  }
});
