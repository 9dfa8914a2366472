import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGateway } from '../../support/gateway.js';
import type { Gateway } from '../../support/gateway.js';
import type { Platform } from '../../support/platform.js';
import { changePolicies } from '../../support/sanitizer-changes.js';
import { onPostgres } from '../../support/services.js';
import { shortest } from '../../support/shortest.js';

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
    const longest = async () =>
      Math.max(...(await changePolicies(gateway, replica)).map(({ milliseconds }) => milliseconds));

    expect(await shortest(2_000, longest)).toBeLessThan(2_000);
  });
});
