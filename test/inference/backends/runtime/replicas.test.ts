import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../../src/app.js';
import type { App } from '../../../../src/app.js';
import { defaultTenantId } from '../../../support/accounts.js';
import { startScriptedBackend } from '../../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../../support/scripted-backend.js';
import { startPlatform } from '../../../support/platform.js';
import type { Platform } from '../../../support/platform.js';

// The embedded database serves one process.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('two replicas', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let replica: App;
  let replicaUrl: string;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform();
    replica = await createApp(platform.config, pino({ level: 'silent' }));
    replicaUrl = await replica.listen();
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await replica.close();
    await platform.close();
    await backend.close();
  });

  it('see within two seconds which backends there are, and which models are allowed', async () => {
    const body = { name: 'added', base_url: backend.url, models: [{ id: 'a' }] };
    const made = await platform.request('POST', '/v1/admin/backends', { token, body });
    const path = `/v1/admin/backends/${made.body.id}`;
    const policyPath = `/v1/admin/tenants/${await defaultTenantId(platform)}/model-policy`;
    const times = [await millisecondsUntil(['a'])];

    await platform.request('PATCH', path, { token, body: { models: [{ id: 'a' }, { id: 'b' }] } });
    times.push(await millisecondsUntil(['a', 'b']));
    await platform.request('PUT', policyPath, { token, body: { deny: ['a'] } });
    times.push(await millisecondsUntil(['b']));
    await platform.request('DELETE', path, { token });
    times.push(await millisecondsUntil([]));

    for (const time of times) expect(time).toBeLessThan(2_000);
  });

  async function modelsOnReplica(): Promise<string[]> {
    const response = await fetch(`${replicaUrl}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  /** How long the replica takes to list these models beside the builtin ones. */
  async function millisecondsUntil(expected: string[]): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const models = (await modelsOnReplica()).filter((id) => !id.startsWith('builtin'));
      const milliseconds = performance.now() - startedAt;
      if (JSON.stringify(models) === JSON.stringify(expected) || milliseconds > 5_000) return milliseconds;
    }
  }
});
