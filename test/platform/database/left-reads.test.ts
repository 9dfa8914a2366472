import { expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { usePlatform } from '../../support/servers/use-servers.js';

it.each([
  '/v1/usage',
  '/v1/usage/calls',
  '/v1/admin/usage',
  '/v1/admin/audit-logs',
  '/v1/admin/audit-logs?format=csv',
  '/v1/admin/audit-logs?format=ndjson',
])('whoever leaves %s while it waits for its turn leaves no read behind', async (path) => {
  const { access_token: token } = await platform.login();
  const { longReads } = platform.app.database;
  using _ = await longReads.take({ tenantId: 'another', userId: 'another' });
  const client = new AbortController();

  const answer = platform.send('GET', path, { token, signal: client.signal });
  await eventually('it waits', 10, async () => longReads.waiting > 0);
  client.abort();

  await expect(answer).rejects.toThrow();
  await eventually('nothing waits', 2, async () => longReads.waiting === 0);
});

/** With one place for long reads, as the embedded database has it. */
const platform = usePlatform({ DATABASE_POOL_SIZE: '2' });
