import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { whoAmI } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addSsoProvider, makeKey, signInByToken, signWith, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';
import { signProxy } from '../../support/servers/sso-proxy.js';

describe('single sign-on with a proof', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform(), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer);
  });
  afterAll(async () => {
    await platform.close();
    await issuer.close();
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256'])(
    'signs in by an id token with %s, beside other keys',
    async (alg) => {
      const other = await SsoIssuer.start();
      await addSsoProvider(platform, other, { tid: alg });
      other.keys = [makeKey(alg), makeKey('RS256')];

      const answer = await signInByToken(platform, `person-${alg}`, other.token(`person-${alg}`, { tid: alg }), {
        tid: alg,
      });

      await other.close();
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    },
  );

  it('makes a plain user of the tenant at the first sign-in, and finds the same one by any later proof', async () => {
    const first = await signInByToken(platform, 'ada', issuer.token('ada'));
    const moved = { upn: 'Ada.King@Contoso.example', name: 'Ada King' };
    const second = await signInByToken(platform, 'ada', issuer.token('ada', moved), {
      upn: 'ada.king@contoso.example',
    });
    const third = await platform.request('POST', '/v1/auth/sso', {
      body: { oid: 'ada', tid: TID, upn: 'ada.king@contoso.example' },
      headers: signProxy({ oid: 'ada', tid: TID, upn: 'ada.king@contoso.example' }),
    });

    expect(first.body.user).toMatchObject({ privileges: ['user'], groupMemberships: [], username: 'Name of ada' });
    expect(first.body.user).toMatchObject({ email: 'ada@contoso.example', confirmed: true });
    expect(second.body.user).toMatchObject({ email: 'ada.king@contoso.example', username: 'Ada King' });
    expect([second.body.user.id, third.body.user.id]).toEqual([first.body.user.id, first.body.user.id]);
    expect(third.body.user.username).toBe('Ada King');
    expect((await whoAmI(platform, third.body.access_token)).status).toBe(200);
  });

  it('takes the id token as the bearer, over REST and over GraphQL', async () => {
    const body = { oid: 'bob', tid: TID, upn: 'bob@contoso.example' };
    const query = `mutation { ssoLogin(oid: "bob", tid: "${TID}", upn: "bob@contoso.example") { user { email } } }`;

    const rest = await platform.request('POST', '/v1/auth/sso', { body, token: issuer.token('bob') });
    const graphql = await platform.graphql(query, {}, issuer.token('bob'));

    expect(rest.status).toBe(200);
    expect(graphql.body.data.ssoLogin.user.email).toBe('bob@contoso.example');
  });

  it('takes a token that is for others too where it says that this client has asked for it', async () => {
    const token = issuer.token('eve', { aud: ['other-client', 'platform-client'], azp: 'platform-client' });

    const { status } = await signInByToken(platform, 'eve', token);

    expect(status).toBe(200);
  });

  it('bears a clock that is a minute off', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const ahead = issuer.token('max', { iat: now + 50, nbf: now + 50, exp: now + 500 });
    const behind = issuer.token('max', { iat: now - 340, exp: now - 50 });

    const [first, second] = [await signInByToken(platform, 'max', ahead), await signInByToken(platform, 'max', behind)];

    expect([first.status, second.status]).toEqual([200, 200]);
  });

  it('knows somebody without an oid by the subject', async () => {
    const [key] = issuer.keys;
    const claims = issuer.claims('x', { oid: undefined, sub: 'f:1234', preferred_username: 'x@contoso.example' });
    const token = signWith(key as never, { alg: 'RS256', kid: key?.jwk.kid }, { ...claims, upn: undefined });

    const answer = await signInByToken(platform, 'sub:f:1234', token, { upn: 'x@contoso.example' });

    expect(answer.status).toBe(200);
    const [row] = await platform.query<{ external_id: string }>('SELECT external_id FROM users WHERE id = $1', [
      answer.body.user.id,
    ]);
    expect(row?.external_id).toBe('sub:f:1234');
  });

  it('logs neither tokens nor addresses', async () => {
    const token = issuer.token('quiet');
    await signInByToken(platform, 'quiet', token);
    await signInByToken(platform, 'quiet', token);

    const log = platform.logLines.join('\n');

    expect(log).toContain('The proof was used before');
    expect(log).not.toContain(token.slice(0, 60));
    expect(log).not.toContain('quiet@contoso.example');
  });
});
