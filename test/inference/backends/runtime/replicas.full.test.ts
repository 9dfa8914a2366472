import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onPostgres } from '../../../support/servers/services.js';
import { defaultTenantId } from '../../../support/builders/accounts.js';
import { untilTableIsRead } from '../../../support/probes/table-reads.js';
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

  it('see by the next look at the database which backends there are, and which models are allowed', async () => {
    const settings = { base_url: gateway.backend.url, models: [{ id: 'a' }] };
    const made = await addRuntimeBackend(gateway.platform, gateway.token, settings);
    const path = `/v1/admin/backends/${made.body.id}`;
    const policyPath = `/v1/admin/tenants/${await defaultTenantId(gateway.platform)}/model-policy`;
    const seen = [await modelsAfterReading('backends')];

    await gateway.request('PATCH', path, { body: { models: [{ id: 'a' }, { id: 'b' }] } });
    seen.push(await modelsAfterReading('backends'));
    await gateway.request('PUT', policyPath, { body: { deny: ['a'] } });
    seen.push(await modelsAfterReading('model_policies'));
    await gateway.request('DELETE', path);
    seen.push(await modelsAfterReading('backends'));

    expect(seen).toEqual([['a'], ['a', 'b'], ['b'], []]);
  });

  /** Which of the models `a` and `b` the replica lists once it has read a table. */
  async function modelsAfterReading(table: string): Promise<string[]> {
    await untilTableIsRead(replica, table);
    const { body } = await replica.request('GET', '/v1/models', { token: gateway.token });
    return body.data.map(({ id }: { id: string }) => id).filter((id: string) => ['a', 'b'].includes(id));
  }
});
