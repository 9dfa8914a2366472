import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { startPlatform } from '../support/servers/platform.js';
import { ServerProcess } from '../support/servers/server-process.js';

const SERVICE = '{ _service { sdl } }';

describe('a server of one domain', () => {
  it.each(['identity', 'audit', 'metering', 'inference', 'sanitizer', 'operations'])(
    'serves the emitted subgraph: %s',
    async (domain) => {
      const platform = await startPlatform({ DOMAINS: domain });

      const { body } = await platform.graphql(SERVICE);
      await platform.close();

      expect(body.data._service.sdl).toBe(emitted(domain));
    },
  );

  it('serves the emitted subgraph where its process has built no other graph before', async () => {
    const database = await createTestDatabaseFolder();
    const server = await ServerProcess.start({ ...database.env, DOMAINS: 'inference', SHUTDOWN_SECONDS: '2' });
    const [, address] = await server.says(/"address":"(http:[^"]+)"/);

    const answer = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: SERVICE }),
    });
    const { data } = (await answer.json()) as { data: { _service: { sdl: string } } };
    server.signal('SIGTERM');
    await server.ending();
    await database.drop();

    expect(data._service.sdl).toBe(emitted('inference'));
  });
});

function emitted(domain: string): string {
  return readFileSync(`schema/subgraphs/${domain}.graphql`, 'utf8');
}
