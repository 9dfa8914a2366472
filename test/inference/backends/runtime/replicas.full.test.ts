import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onPostgres } from '../../../support/servers/services.js';
import { defaultTenantId } from '../../../support/builders/accounts.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { Platform } from '../../../support/servers/platform.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';

const LOOK = 'polling backends and model policies';

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

  it('see by the next look at the database which backends there are, and which models are allowed', async () => {
    const settings = { base_url: gateway.backend.url, models: [{ id: 'a' }] };
    const made = await addRuntimeBackend(gateway.platform, gateway.token, settings);
    const path = `/v1/admin/backends/${made.body.id}`;
    const policyPath = `/v1/admin/tenants/${await defaultTenantId(gateway.platform)}/model-policy`;
    const seen = [await modelsAfterLook()];

    await gateway.request('PATCH', path, { body: { models: [{ id: 'a' }, { id: 'b' }] } });
    seen.push(await modelsAfterLook());
    await gateway.request('PUT', policyPath, { body: { deny: ['a'] } });
    seen.push(await modelsAfterLook());
    await gateway.request('DELETE', path);
    seen.push(await modelsAfterLook());

    expect(seen).toEqual([['a'], ['a', 'b'], ['b'], []]);
  });

  it('look at it at least every two seconds', () => {
    expect(replica.app.tasks.find(({ name }) => name === LOOK)?.intervalMs).toBeLessThanOrEqual(2_000);
  });

  /** Which of the models `a` and `b` the replica lists once it has looked at the database. */
  async function modelsAfterLook(): Promise<string[]> {
    await replica.runTask(LOOK);
    const { body } = await replica.request('GET', '/v1/models', { token: gateway.token });
    return body.data.map(({ id }: { id: string }) => id).filter((id: string) => ['a', 'b'].includes(id));
  }
});
