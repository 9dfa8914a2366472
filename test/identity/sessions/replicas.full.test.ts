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

const LOOK = 'polling revocations';

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

  it('hear of a logout by the next look at the database, tokens that they know included', async () => {
    const { access_token } = await platform.login();
    expect(await useOnReplica(access_token)).toBe(200);

    await platform.request('POST', '/v1/auth/logout', { body: { access_token } });
    await look();

    expect(await useOnReplica(access_token)).toBe(401);
  });

  it('give a refresh token one successor, whichever is asked', async () => {
    const { refresh_token } = await platform.login();

    const answers = await Promise.all([platform, replica].map((server) => refreshTokens(server, refresh_token)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it('end the session of a refresh token that comes again behind its grace, whichever is asked', async () => {
    const { refresh_token } = await platform.login();
    const { body: next } = await refreshTokens(platform, refresh_token);
    await platform.query("UPDATE refresh_tokens SET used_at = used_at - interval '11 s' WHERE used_at IS NOT NULL");

    const reuse = await refreshTokens(replica, refresh_token);

    expect(reuse.body.error.reason).toBe('token_revoked');
    expect((await refreshTokens(platform, next.refresh_token)).body.error.reason).toBe('token_revoked');
  });

  it('hear by the next look at the database that a personal access token is deleted', async () => {
    const { access_token } = await platform.login();
    const { id, token } = await addApiToken(platform, access_token);
    expect(await useOnReplica(token)).toBe(200);

    await platform.request('DELETE', `/v1/api-tokens/${id}`, { token: access_token });
    await look();

    expect(await useOnReplica(token)).toBe(401);
  });

  it('accept both secrets of a rotated token, each for its time', async () => {
    const { access_token } = await platform.login();
    const { id, token: first } = await addApiToken(platform, access_token);
    expect(await useOnReplica(first)).toBe(200);

    const { token: second } = await rotateApiToken(platform, access_token, id, 3_600);
    await look();
    const during = [await useOnReplica(first), await useOnReplica(second)];
    await platform.query('UPDATE revocations SET effective_at = now(), created_at = now() WHERE effective_at > now()');
    await look();

    expect(during).toEqual([200, 200]);
    expect(await useOnReplica(first)).toBe(401);
    expect(await useOnReplica(second)).toBe(200);
  });

  it('hear by the next look at the database that a rotation has ended the older of two secrets', async () => {
    const { access_token } = await platform.login();
    const { id, token: first } = await addApiToken(platform, access_token);
    await rotateApiToken(platform, access_token, id);
    expect(await useOnReplica(first)).toBe(200);

    await rotateApiToken(platform, access_token, id);
    await look();

    expect(await useOnReplica(first)).toBe(401);
  });

  it('hear by the next look at the database that the user of a personal access token is suspended, and that it is not', async () => {
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
    await look();
    expect(await useOnReplica(token)).toBe(401);
    await setUser('active', 3);

    expect(await useOnReplica(token)).toBe(200);
  });

  it('look at the database at least every second', () => {
    expect(replica.app.tasks.find(({ name }) => name === LOOK)?.intervalMs).toBeLessThanOrEqual(1_000);
  });

  async function useOnReplica(token: string) {
    return (await whoAmI(replica, token)).status;
  }

  /** Has the replica look at the database, as it does twice a second. */
  function look() {
    return replica.runTask(LOOK);
  }
});
