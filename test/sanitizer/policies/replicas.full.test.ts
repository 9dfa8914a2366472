import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import type { Platform } from '../../support/servers/platform.js';
import { changePolicies } from '../../support/builders/sanitizer-changes.js';
import { onPostgres } from '../../support/servers/services.js';

const LOOK = 'polling sanitizer policies';

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
      changed: () => replica.runTask(LOOK),
    });

    expect(changes).toEqual([1, 1, 1]);
  });

  it('look at the database at least every two seconds', () => {
    expect(replica.app.tasks.find(({ name }) => name === LOOK)?.intervalMs).toBeLessThanOrEqual(2_000);
  });
});
