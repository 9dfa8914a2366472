import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onPostgres } from '../../support/servers/services.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import {
  addApiToken,
  addSignedInUser,
  refreshTokens,
  rotateApiToken,
  whoAmI,
} from '../../support/builders/accounts.js';

onPostgres.describe('two replicas', () => {
  let platform: Platform;
  let replica: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
    replica = await platform.startReplica();
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

    const answers = await Promise.all([platform, replica].map((server) => refreshTokens(server, refresh_token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
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
    const { id, token: jwt } = await addSignedInUser(platform);
    const { token } = await addApiToken(platform, jwt);
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
    return (await whoAmI(replica, token)).status;
  }

  /** How long a token is still accepted by the replica, in milliseconds; gives up after 5 s. */
  async function acceptedFor(token: string) {
    const startedAt = performance.now();
    while ((await useOnReplica(token)) === 200 && performance.now() - startedAt < 5_000);
    return performance.now() - startedAt;
  }
});
