import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/app.js';
import type { App } from '../../../src/app.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { addApiToken, addUser, defaultTenantId, rotateApiToken, signIn } from '../../support/accounts.js';

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

  it("accept each other's tokens", async () => {
    const { access_token } = await platform.login();

    expect(await useOnReplica(access_token)).toBe(200);
  });

  it('hear of a logout within a second, tokens that they know included', async () => {
    const { access_token } = await platform.login();
    expect(await useOnReplica(access_token)).toBe(200);

    await platform.request('POST', '/v1/auth/logout', { body: { access_token } });

    expect(await acceptedFor(access_token)).toBeLessThan(1_000);
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

  it('hear within a second that a personal access token is deleted', async () => {
    const { access_token } = await platform.login();
    const { id, token } = await addApiToken(platform, access_token);
    expect(await useOnReplica(token)).toBe(200);

    await platform.request('DELETE', `/v1/api-tokens/${id}`, { token: access_token });

    expect(await acceptedFor(token)).toBeLessThan(1_000);
  });

  it('accept both secrets of a rotated token, each for its time', async () => {
    const { access_token } = await platform.login();
    const { id, token: first } = await addApiToken(platform, access_token);
    expect(await useOnReplica(first)).toBe(200);

    const { token: second } = await rotateApiToken(platform, access_token, id, 2);
    const graceEnd = Date.now() + 2_000;
    expect([await useOnReplica(first), await useOnReplica(second)]).toEqual([200, 200]);
    await acceptedFor(first);

    expect(Math.abs(Date.now() - graceEnd)).toBeLessThan(1_000);
    expect(await useOnReplica(second)).toBe(200);
  });

  it('hear within a second that a rotation has ended the older of two secrets', async () => {
    const { access_token } = await platform.login();
    const { id, token: first } = await addApiToken(platform, access_token);
    await rotateApiToken(platform, access_token, id);
    expect(await useOnReplica(first)).toBe(200);

    await rotateApiToken(platform, access_token, id);

    expect(await acceptedFor(first)).toBeLessThan(1_000);
  });

  it('hear within a second that the user of a personal access token is suspended, and again that it is not', async () => {
    const { id, email } = await addUser(platform, await defaultTenantId(platform));
    const { token } = await addApiToken(platform, (await signIn(platform, email)).access_token);
    expect(await useOnReplica(token)).toBe(200);
    const setUser = (status: string, version: number) =>
      platform.app.database.dataSource.transaction(async (tx) => {
        await tx.query('UPDATE users SET status = $2, user_version = $3 WHERE id = $1', [id, status, version]);
        await tx.query(
          `INSERT INTO revocations (kind, subject, min_version, created_at, expires_at)
           VALUES ('user', $1, $2, now(), now() + interval '1 hour')
           ON CONFLICT (kind, subject) DO UPDATE SET min_version = $2, created_at = now()`,
          [id, version],
        );
      });

    await setUser('suspended', 2);
    expect(await acceptedFor(token)).toBeLessThan(1_000);
    await setUser('active', 3);

    expect(await useOnReplica(token)).toBe(200);
  });

  async function useOnReplica(token: string) {
    return (await fetch(`${replicaUrl}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  /** How long a token is still accepted by the replica, in milliseconds; gives up after 5 s. */
  async function acceptedFor(token: string) {
    const startedAt = performance.now();
    while ((await useOnReplica(token)) === 200 && performance.now() - startedAt < 5_000);
    return performance.now() - startedAt;
  }
});
