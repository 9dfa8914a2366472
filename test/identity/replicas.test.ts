import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';

// The embedded database serves one process.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('two replicas', () => {
  let platform: Platform;
  let replica: App;
  let replicaUrl: string;

  beforeAll(async () => {
    platform = await startPlatform();
    replica = await createApp(platform.config, pino({ level: 'silent' }));
    replicaUrl = await replica.listen();
  });
  afterAll(async () => {
    await replica.close();
    await platform.close();
  });

  const useOnReplica = async (token: string) =>
    (await fetch(`${replicaUrl}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  it("accept each other's tokens", async () => {
    const { access_token } = await platform.login();

    expect(await useOnReplica(access_token)).toBe(200);
  });

  it('hear of a logout within a second, tokens that they know included', async () => {
    const { access_token } = await platform.login();
    expect(await useOnReplica(access_token)).toBe(200);

    await platform.request('POST', '/v1/auth/logout', { body: { access_token } });
    const loggedOutAt = performance.now();
    let status = 200;
    while (status === 200 && performance.now() - loggedOutAt < 5_000) status = await useOnReplica(access_token);

    expect(status).toBe(401);
    expect(performance.now() - loggedOutAt).toBeLessThan(1_000);
  });

  it('let a refresh token be used once, whichever is asked', async () => {
    const { refresh_token } = await platform.login();
    const refreshAt = async (url: string) =>
      (
        await fetch(`${url}/v1/auth/refresh`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ refresh_token }),
        })
      ).status;

    const statuses = await Promise.all([refreshAt(platform.url), refreshAt(replicaUrl)]);

    expect(statuses.sort()).toEqual([200, 401]);
  });
});
