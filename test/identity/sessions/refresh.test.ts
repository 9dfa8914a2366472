import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { RefreshToken } from '../../../src/identity/sessions/refresh-token.entity.js';
import { Session } from '../../../src/identity/sessions/session.entity.js';
import type { UserStatus } from '../../../src/identity/users/user.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import type { TokenPair } from '../../support/servers/platform.js';
import { addUser, defaultTenantId, refreshTokens, signIn, whoAmI } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('refreshing', () => {
  const platform = usePlatform();

  it('answers a new pair of the same session', async () => {
    const first = await platform.login();

    const { status, body } = await refresh(first.refresh_token);

    expect(status).toBe(200);
    expect(body).toEqual({ ...first, access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(sessionOf(body)).toBe(sessionOf(first));
    expect((await me(body)).status).toBe(200);
  });

  it('leaves the older access token valid', async () => {
    const first = await platform.login();

    await refresh(first.refresh_token);

    expect((await me(first)).status).toBe(200);
  });

  it('gives two tabs that send one token the same successor', async () => {
    const first = await platform.login();

    const answers = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = answers.map(({ body }) => body as TokenPair) as [TokenPair, TokenPair];
    expect(other.refresh_token).toBe(one.refresh_token);
    expect((await me(one)).status).toBe(200);
    expect((await me(other)).status).toBe(200);
    expect((await refresh(one.refresh_token)).status).toBe(200);
  });

  it('gives a retry within the grace the same successor, also when that was used, and records it', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first.refresh_token);
    await useLongAgo(first, 9);
    const { body: third } = await refresh(second.refresh_token);

    const retry = await refresh(first.refresh_token);

    expect(retry.body.refresh_token).toBe(second.refresh_token);
    expect((await refresh(third.refresh_token)).status).toBe(200);
    const rows = await auditRows(platform, "action = 'session.refresh' AND outcome = 'success' AND reason IS NOT NULL");
    expect(rows.at(-1)).toMatchObject({ reason: 'a refresh token came again within its grace' });
  });

  it('ends the whole session when a token comes again behind the grace, however often it came within it', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first.refresh_token);
    await refresh(first.refresh_token);
    await useLongAgo(first, 11);

    const reuse = await refresh(first.refresh_token);

    expect(reuse.status).toBe(401);
    expect(reuse.body.error.reason).toBe('token_revoked');
    await expectEnded(first, second);
  });

  it('ends the session of a thief who was quick, as soon as the successor comes twice', async () => {
    const first = await platform.login();
    const { body: owner } = await refresh(first.refresh_token);
    const { body: thief } = await refresh(first.refresh_token);
    const { body: next } = await refresh(owner.refresh_token);
    await useLongAgo(owner, 11);

    const replay = await refresh(thief.refresh_token);

    expect(replay.status).toBe(401);
    await expectEnded(thief, next);
  });

  it('gives nothing within the grace when the session has ended', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first.refresh_token);
    await platform.request('POST', '/v1/auth/logout', { body: { refresh_token: second.refresh_token } });

    expect((await refresh(first.refresh_token)).body.error.reason).toBe('token_revoked');
  });

  it('gives no successor that was never stored', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first.refresh_token);
    await platform.query('DELETE FROM refresh_tokens WHERE hash = $1', [hashOf(second.refresh_token)]);

    expect((await refresh(first.refresh_token)).body.error.reason).toBe('token_revoked');
  });

  it('leaves the other sessions of the user alone', async () => {
    const [first, other] = [await platform.login(), await platform.login()];
    await refresh(first.refresh_token);
    await useLongAgo(first, 11);
    await refresh(first.refresh_token);

    expect((await me(other)).status).toBe(200);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it.each<UserStatus>(['suspended', 'disabled'])('is refused for %s users', async (status) => {
    const user = await addUser(platform, await defaultTenantId(platform));
    const pair = await signIn(platform, user.email);
    const used = await signIn(platform, user.email);
    await refresh(used.refresh_token);
    await platform.app.database.dataSource.getRepository(User).update({ id: user.id }, { status });

    const { status: refused, body } = await refresh(pair.refresh_token);

    expect(refused).toBe(401);
    expect(body.error).toEqual({
      type: 'permission_error',
      code: 'unauthorized',
      message: 'The refresh token is not valid.',
    });
    expect((await refresh(used.refresh_token)).status).toBe(401);
  });

  it('is refused 14 days after the last refresh', async () => {
    const pair = await platform.login();
    const { past, tokens } = await backdate(pair, 15);
    await tokens.update({ sessionId: sessionOf(pair) }, { createdAt: past });

    expect((await refresh(pair.refresh_token)).body.error.reason).toBe('token_expired');
  });

  it('is refused 90 days after the sign-in, however often it was refreshed', async () => {
    const [recent, old] = [await platform.login(), await platform.login()];
    await backdate(recent, 89);
    await backdate(old, 91);

    expect((await refresh(recent.refresh_token)).status).toBe(200);
    expect((await refresh(old.refresh_token)).body.error.reason).toBe('token_expired');
  });

  it.each(['', 'nonsense', 'a\0b', 'x'.repeat(5_000), '\ud800'])('answers 401 to the token %j', async (token) => {
    const { status, body } = await refresh(token);

    expect(status).toBe(401);
    expect(body.error.reason).toBeUndefined();
  });

  it.each([undefined, null, 7, {}])('answers 400 to the token %j', async (token) => {
    const { status, body } = await refresh(token);

    expect([status, body.error.param]).toEqual([400, 'refresh_token']);
  });

  it('stores no token that could be used', async () => {
    const { refresh_token } = await platform.login();

    const rows = await platform.app.database.dataSource.getRepository(RefreshToken).find();

    expect(rows.map((row) => row.hash)).not.toContain(refresh_token);
    expect(rows.every((row) => /^[\w-]{43}$/.test(row.hash))).toBe(true);
  });

  function refresh(refresh_token: unknown) {
    return refreshTokens(platform, refresh_token);
  }

  function me({ access_token }: TokenPair) {
    return whoAmI(platform, access_token);
  }

  async function expectEnded(...pairs: TokenPair[]) {
    for (const pair of pairs) {
      expect((await refresh(pair.refresh_token)).body.error.reason).toBe('token_revoked');
      expect((await me(pair)).body.error.reason).toBe('token_revoked');
    }
  }

  function useLongAgo({ refresh_token }: TokenPair, seconds: number) {
    const back = 'UPDATE refresh_tokens SET used_at = now() - make_interval(secs => $2) WHERE hash = $1';
    return platform.query(back, [hashOf(refresh_token), seconds]);
  }

  function sessionOf({ access_token }: TokenPair) {
    return hash(
      'sha256',
      JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sid,
      'base64url',
    );
  }

  async function backdate(pair: TokenPair, days: number) {
    const { dataSource } = platform.app.database;
    const past = new Date(Date.now() - days * DAY_MS);
    await dataSource.getRepository(Session).update({ id: sessionOf(pair) }, { createdAt: past });
    return { past, tokens: dataSource.getRepository(RefreshToken) };
  }
});

describe('refreshing without a grace', () => {
  const platform = usePlatform({ REFRESH_GRACE_SECONDS: '0' });

  it.each(['at the same moment', 'later'])('ends the session of a token that comes twice, %s', async (moment) => {
    const { refresh_token } = await platform.login();
    const refresh = () => refreshTokens(platform, refresh_token);

    const answers = moment === 'later' ? [await refresh(), await refresh()] : await Promise.all([refresh(), refresh()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers.find(({ status }) => status === 200)?.body as TokenPair;
    expect((await whoAmI(platform, winner.access_token)).status).toBe(401);
    expect((await refreshTokens(platform, winner.refresh_token)).status).toBe(401);
  });
});

function hashOf(refreshToken: string): string {
  return hash('sha256', refreshToken, 'base64url');
}
