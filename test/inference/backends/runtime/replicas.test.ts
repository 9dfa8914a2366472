import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onPostgres } from '../../../support/services.js';
import { defaultTenantId } from '../../../support/accounts.js';
import { startGateway } from '../../../support/gateway.js';
import type { Gateway } from '../../../support/gateway.js';
import type { Platform } from '../../../support/platform.js';
import { addRuntimeBackend } from '../../../support/runtime-backend.js';

onPostgres.describe('two replicas', () => {
  let gateway: Gateway;
  let replica: Platform;
  /** The builtin models, and those of programs of this machine. */
  let own: readonly string[];

  beforeAll(async () => {
    gateway = await startGateway({ backends: [] });
    replica = await gateway.platform.startReplica();
    own = await modelsOnReplica();
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
    const times = [await millisecondsUntil(['a'])];

    await gateway.request('PATCH', path, { body: { models: [{ id: 'a' }, { id: 'b' }] } });
    times.push(await millisecondsUntil(['a', 'b']));
    await gateway.request('PUT', policyPath, { body: { deny: ['a'] } });
    times.push(await millisecondsUntil(['b']));
    await gateway.request('DELETE', path);
    times.push(await millisecondsUntil([]));

    for (const time of times) expect(time).toBeLessThan(2_000);
  });

  async function modelsOnReplica(): Promise<string[]> {
    const { body } = await replica.request('GET', '/v1/models', { token: gateway.token });
    return body.data.map(({ id }: { id: string }) => id);
  }

  /** How long the replica takes to list these models beside those that it has of itself. */
  async function millisecondsUntil(expected: string[]): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const models = (await modelsOnReplica()).filter((id) => !own.includes(id));
      const milliseconds = performance.now() - startedAt;
      if (JSON.stringify(models) === JSON.stringify(expected) || milliseconds > 5_000) return milliseconds;
    }
  }
});
