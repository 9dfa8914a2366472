import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { untilTableIsRead } from '../../support/probes/table-reads.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import type { Platform } from '../../support/servers/platform.js';
import { changePolicies } from '../../support/builders/sanitizer-changes.js';
import { onPostgres } from '../../support/servers/services.js';

onPostgres.describe('two replicas', () => {
  let gateway: Gateway;
  let replica: Platform;

  beforeAll(async () => {
    gateway = await startGateway({ env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    replica = await gateway.platform.startReplica();
  });
  afterAll(async () => {
    await replica.close();
    await gateway.close();
  });

  it('go by the same sanitizer policies from the next look at the database on', async () => {
    const changes = await changePolicies(gateway, replica, {
      changed: () => untilTableIsRead(replica, 'sanitizer_policies'),
    });

    expect(changes).toEqual([1, 1, 1]);
  });
});
