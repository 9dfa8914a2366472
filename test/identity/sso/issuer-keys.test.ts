import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addSsoProvider, makeKey, signInByToken, signWith, SsoIssuer } from '../../support/servers/sso-issuer.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the keys of an issuer', () => {
  const platform = usePlatform();
  let [issuer, tid, sequence]: [SsoIssuer, string, number] = [undefined as never, '', 0];
  beforeEach(async () => {
    [issuer, tid] = [await SsoIssuer.start(), `tid-${(sequence += 1)}`];
  });
  afterEach(() => issuer.close());

  it('are read where its configuration says, once for many sign-ins', async () => {
    await addSsoProvider(platform, issuer, { tid });

    const statuses = [await signIn(), await signIn(), await signIn('unknown-key')];

    expect(statuses).toEqual([200, 200, 401]);
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('are read at the address that the provider is set up with', async () => {
    await addSsoProvider(platform, issuer, { tid, jwks_uri: `${issuer.url}/keys` });

    expect(await signIn()).toBe(200);
    expect(issuer.requests).toEqual(['/keys']);
  });

  it('have to be named where there are several', async () => {
    issuer.keys.push(makeKey('ES256'));
    await addSsoProvider(platform, issuer, { tid });

    expect([await signIn(null), await signIn()]).toEqual([401, 200]);
  });

  it('need no name where there is one', async () => {
    await addSsoProvider(platform, issuer, { tid });

    expect(await signIn(null)).toBe(200);
  });

  it('are told as unavailable while they cannot be read, however often: that is no failure of who signs in', async () => {
    issuer.isBroken = true;
    await addSsoProvider(platform, issuer, { tid });
    const answers = [];
    for (let count = 0; count < 12; count += 1) {
      answers.push(await signInByToken(platform, 'ada', issuer.token('ada', { tid }), { tid }));
    }

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers[0]?.body.error.message).toBe('The identity provider cannot be reached. Please try again later.');
    expect(Number(answers[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(issuer.requests).toHaveLength(1);
  });

  it('are not asked for by a token that names another issuer', async () => {
    await addSsoProvider(platform, issuer, { tid });

    const token = issuer.token('ada', { tid, iss: 'https://issuer.example' });
    const { status } = await signInByToken(platform, 'ada', token, { tid });

    expect(status).toBe(401);
    expect(issuer.requests).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['is of another issuer', { issuer: 'https://issuer.example' }],
    ['sends to a private address', { jwks_uri: 'https://10.0.0.1/keys' }],
    ['sends to a service of a cloud', { jwks_uri: 'http://169.254.169.254/latest/meta-data' }],
    ['sends to no web address', { jwks_uri: 'file:///etc/passwd' }],
    ['names no keys', { jwks_uri: undefined }],
  ])('are not read where a configuration %s', async (_what, configuration) => {
    issuer.configuration = configuration;
    await addSsoProvider(platform, issuer, { tid });

    expect(await signIn()).toBe(503);
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration']);
  });

  it('are not read from another host that nobody has approved, if it is not public', async () => {
    const other = await SsoIssuer.start();
    issuer.configuration = { jwks_uri: `${other.url}/keys` };
    await addSsoProvider(platform, issuer, { tid });

    const status = await signIn();

    await other.close();
    expect([status, other.requests]).toEqual([503, []]);
  });

  /** @param kid of the token's header; null: it has none */
  async function signIn(kid: unknown = issuer.keys[0]?.jwk.kid): Promise<number> {
    const claims = issuer.claims('ada', { tid });
    const header = { alg: 'RS256', ...(kid !== null && { kid }) };
    return (await signInByToken(platform, 'ada', signWith(issuer.keys[0] as never, header, claims), { tid })).status;
  }
});
