import { afterAll, beforeAll, expect, it } from '@jest/globals';
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

  it('go within two seconds by the same sanitizer policies', async () => {
    let changedAt = 0;
    const times: number[] = [];

    await changePolicies(gateway, replica, {
      changed: async () => void (changedAt = performance.now()),
      seen: () => times.push(performance.now() - changedAt),
    });

    expect(times).toHaveLength(3);
    expect(Math.max(...times)).toBeLessThan(2_000);
  });
});
