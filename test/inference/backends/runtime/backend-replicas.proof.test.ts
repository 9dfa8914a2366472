import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onPostgres } from '../../../support/servers/services.js';
import { defaultTenantId } from '../../../support/builders/accounts.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { Platform } from '../../../support/servers/platform.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';

onPostgres.describe('two replicas', () => {
  let gateway: Gateway;
  let replica: Platform;

  beforeAll(async () => {
    gateway = await startGateway({ backends: [] });
    replica = await gateway.platform.startReplica();
  });
  afterAll(async () => {
    await replica.close();
    await gateway.close();
  });

  it('see within two seconds which backends there are, and which models are allowed', async () => {
    const settings = { base_url: gateway.backend.url, models: [{ id: 'a' }] };
    const made = await addRuntimeBackend(gateway.platform, gateway.token, settings);
    const path = `/v1/admin/backends/${made.body.id}`;
    const policyPath = `/v1/admin/tenants/${await defaultTenantId(gateway.platform)}/model-policy`;
    const times = [await millisecondsUntil('a')];

    await gateway.request('PATCH', path, { body: { models: [{ id: 'a' }, { id: 'b' }] } });
    times.push(await millisecondsUntil('a', 'b'));
    await gateway.request('PUT', policyPath, { body: { deny: ['a'] } });
    times.push(await millisecondsUntil('b'));
    await gateway.request('DELETE', path);
    times.push(await millisecondsUntil());

    for (const time of times) expect(time).toBeLessThan(2_000);
  });

  /** How long the replica takes to list just these of the models `a` and `b`. */
  async function millisecondsUntil(...expected: string[]): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const { body } = await replica.request('GET', '/v1/models', { token: gateway.token });
      const models = body.data.map(({ id }: { id: string }) => id).filter((id: string) => ['a', 'b'].includes(id));
      const milliseconds = performance.now() - startedAt;
      if (JSON.stringify(models) === JSON.stringify(expected) || milliseconds > 5_000) return milliseconds;
    }
  }
});
