import { describe, expect, it } from '@jest/globals';
import { refreshTokens, whoAmI } from '../../support/builders/accounts.js';
import { openSocketAs } from '../../support/builders/graphql-clients.js';
import type { RestAnswer, TokenPair } from '../../support/servers/platform.js';
import { signClaims } from '../../support/probes/forgery.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('logging out', () => {
  const platform = usePlatform();

  it.each<[string, (pair: TokenPair) => unknown]>([
    ['both tokens', ({ access_token, refresh_token }) => ({ access_token, refresh_token })],
    ['the access token alone', ({ access_token }) => ({ access_token })],
    ['the refresh token alone', ({ refresh_token }) => ({ refresh_token, access_token: null })],
  ])('ends the session by %s', async (_, body) => {
    const pair = await platform.login();
    expect((await me(pair)).status).toBe(200);

    const answer = await logout(body(pair));

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expectEnded(await me(pair));
    expectEnded(await refresh(pair));
  });

  it('ends every access token of the session, older ones included', async () => {
    const first = await platform.login();
    const { body: second } = await refresh(first);

    await logout({ refresh_token: second.refresh_token });

    expectEnded(await me(first));
    expectEnded(await me(second));
  });

  it('ends two sessions at once where the tokens are of two', async () => {
    const [one, other] = [await platform.login(), await platform.login()];

    await logout({ access_token: one.access_token, refresh_token: other.refresh_token });

    expectEnded(await me(one));
    expectEnded(await me(other));
  });

  it('leaves the other sessions of the user alone', async () => {
    const [one, other] = [await platform.login(), await platform.login()];

    await logout({ access_token: one.access_token });

    expect((await me(other)).status).toBe(200);
  });

  it('answers although the request itself comes with the token that ends', async () => {
    const pair = await platform.login();

    const answer = await logout({ refresh_token: pair.refresh_token }, pair.access_token);

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expectEnded(await me(pair));
  });

  it('is idempotent', async () => {
    const { access_token, refresh_token } = await platform.login();

    const answers = [await logout({ access_token, refresh_token }), await logout({ access_token, refresh_token })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each([
    {},
    { access_token: 'x', refresh_token: 'y' },
    { access_token: 'a.b.c' },
    { refresh_token: 'a\0b' },
    undefined,
  ])('succeeds for %j', async (body) => {
    const answer = await logout(body);

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  });

  it('takes an expired token, since its session may go on', async () => {
    const pair = await platform.login();
    const expired = await signClaims(platform, pair.access_token, { exp: Math.floor(Date.now() / 1_000) - 60 });

    await logout({ access_token: expired });

    expectEnded(await refresh(pair));
  });

  it('does not take a token whose signature is not ours', async () => {
    const pair = await platform.login();
    const [header, claims] = pair.access_token.split('.');
    const { access_token: other } = await platform.login();

    await logout({ access_token: `${header}.${claims}.${other.split('.')[2]}` });

    expect((await me(pair)).status).toBe(200);
  });

  it('closes the sockets of the session', async () => {
    const pair = await platform.login();
    const { closed } = await openSocketAs({ url: platform.url, token: pair.access_token });

    await logout({ refresh_token: pair.refresh_token });

    expect(await closed).toBe(4403);
  });

  it('outlives a restart of the server', async () => {
    const [ended, open] = [await platform.login(), await platform.login()];
    await logout({ access_token: ended.access_token });

    await platform.restart();

    expectEnded(await me(ended));
    expectEnded(await refresh(ended));
    expect((await me(open)).status).toBe(200);
    expect((await refresh(open)).status).toBe(200);
  });

  function logout(body: unknown, token?: string) {
    return platform.request('POST', '/v1/auth/logout', { body, token });
  }

  function me({ access_token }: TokenPair) {
    return whoAmI(platform, access_token);
  }

  function refresh({ refresh_token }: TokenPair) {
    return refreshTokens(platform, refresh_token);
  }

  function expectEnded({ status, body }: RestAnswer) {
    expect([status, body.error.reason]).toEqual([401, 'token_revoked']);
  }
});
