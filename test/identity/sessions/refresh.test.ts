import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { RefreshToken } from '../../../src/identity/sessions/refresh-token.entity.js';
import { Session } from '../../../src/identity/sessions/session.entity.js';
import type { UserStatus } from '../../../src/identity/users/user.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import type { TokenPair } from '../../support/servers/platform.js';
import { addUser, defaultTenantId, refreshTokens, signIn, whoAmI } from '../../support/builders/accounts.js';
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

  it('ends the whole session when a token comes a second time', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first.refresh_token);

    const reuse = await refresh(first.refresh_token);

    expect(reuse.status).toBe(401);
    expect(reuse.body.error.reason).toBe('token_revoked');
    expect((await refresh(second.refresh_token)).body.error.reason).toBe('token_revoked');
    expect((await me(first)).body.error.reason).toBe('token_revoked');
    expect((await me(second)).body.error.reason).toBe('token_revoked');
  });

  it('takes a token that comes twice at the same moment for a second use', async () => {
    const first = await platform.login();

    const answers = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers.find(({ status }) => status === 200)?.body as TokenPair;
    expect((await me(winner)).status).toBe(401);
    expect((await refresh(winner.refresh_token)).status).toBe(401);
  });

  it('leaves the other sessions of the user alone', async () => {
    const [first, other] = [await platform.login(), await platform.login()];
    await refresh(first.refresh_token);
    await refresh(first.refresh_token);

    expect((await me(other)).status).toBe(200);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it.each<UserStatus>(['suspended', 'disabled'])('is refused for %s users', async (status) => {
    const user = await addUser(platform, await defaultTenantId(platform));
    const pair = await signIn(platform, user.email);
    await platform.app.database.dataSource.getRepository(User).update({ id: user.id }, { status });

    const { status: refused, body } = await refresh(pair.refresh_token);

    expect(refused).toBe(401);
    expect(body.error).toEqual({
      type: 'permission_error',
      code: 'unauthorized',
      message: 'The refresh token is not valid.',
    });
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
