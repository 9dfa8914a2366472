import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildServer, COMPILE_CACHE } from '../support/servers/built-server.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import type { TestDatabase } from '../support/servers/database.js';

describe('a server of one domain', () => {
  let server: DomainServer;

  beforeAll(buildServer);
  afterAll(() => server.stop());

  it.each(['identity', 'audit', 'metering', 'inference', 'sanitizer', 'operations'])(
    'serves the emitted subgraph: %s',
    async (domain) => {
      server = new DomainServer();
      const url = await server.start(domain);

      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ _service { sdl } }' }),
      });
      const { data } = (await answer.json()) as { data: { _service: { sdl: string } } };
      await server.stop();

      expect(data._service.sdl).toBe(readFileSync(`schema/subgraphs/${domain}.graphql`, 'utf8'));
    },
    60_000,
  );
});

/** The built server serving one domain, which nothing else in its process has built before. */
class DomainServer {
  private database: TestDatabase | undefined;
  private process: ChildProcess | undefined;

  async start(domain: string): Promise<string> {
    this.database = await createTestDatabaseFolder();
    const env = {
      ...process.env,
      ...COMPILE_CACHE,
      ...this.database.env,
      PORT: '0',
      DOMAINS: domain,
      SHUTDOWN_SECONDS: '2',
      LOG_LEVEL: 'info',
    };
    const server = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = server;
    for await (const line of createInterface({ input: server.stdout })) {
      const [, address] = /"address":"(http:[^"]+)"/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error(`The server of ${domain} ended before it was ready.`);
  }

  async stop(): Promise<void> {
    if (this.process && this.process.exitCode === null) {
      this.process.kill();
      await once(this.process, 'exit');
    }
    await this.database?.drop();
    this.database = undefined;
  }
}
