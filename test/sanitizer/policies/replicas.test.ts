import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGateway } from '../../support/gateway.js';
import type { Gateway } from '../../support/gateway.js';
import type { Platform } from '../../support/platform.js';
import { changePolicies } from '../../support/sanitizer-changes.js';
import { onPostgres } from '../../support/services.js';

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

  it('go within two seconds by the same sanitizer policies', async () => {
    const changes = await changePolicies(gateway, replica);

    for (const { milliseconds } of changes) expect(milliseconds).toBeLessThan(2_000);
  });
});
