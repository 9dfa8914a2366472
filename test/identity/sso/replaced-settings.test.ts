import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../../support/probes/browser.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addSsoProvider, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';

describe('a sign-in by a provider whose settings are replaced meanwhile', () => {
  let [platform, issuer, id]: [Platform, SsoIssuer, string] = [] as never;
  beforeAll(async () => ({ platform, issuer, id } = await setUp()));
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it('by a browser does not end by those before', async () => {
    const end = await endOfSignIn('ada', () => change({ client_id: 'another-client' }));

    await change({ client_id: 'platform-client' });
    expect(end).toBe('/dashboard#error=sso_failed');
    expect(await endOfSignIn('ada', async () => undefined)).toMatch(/^\/dashboard#code=/);
  });

  it('by a proof does not end by those before', async () => {
    const release = hold('/keys', { keys: issuer.keys.map(({ jwk }) => jwk) });
    await change({ jwks_uri: `${issuer.url}/keys?renewed` });
    const asked = issuer.requests.length;
    const body = { oid: 'bob', tid: TID, upn: 'bob@contoso.example', id_token: issuer.token('bob') };
    const signingIn = platform.request('POST', '/v1/auth/sso', { body });
    await eventually('the keys are asked for', 10, () => issuer.requests.slice(asked).includes('/keys'));
    await change({ audience: 'another-audience' });
    release();

    const { status } = await signingIn;

    expect(status).toBe(401);
    expect(await platform.query("SELECT FROM users WHERE external_id = 'bob'")).toEqual([]);
  });

  /** Where a browser ends that comes back to a token endpoint which waits for what happens meanwhile. */
  async function endOfSignIn(oid: string, meanwhile: () => Promise<unknown>): Promise<string | null> {
    const browser = new Browser();
    const { location } = await browser.get(`${platform.url}/v1/auth/sso/start?email=${oid}@contoso.example`);
    const { state = '', nonce = '' } = Object.fromEntries(location?.searchParams ?? []);
    const tokens = { access_token: 'any', token_type: 'bearer', id_token: issuer.token(oid, { nonce }) };
    const release = hold('/token', tokens);
    const asked = issuer.requests.length;
    const coming = browser.get(`${platform.url}/v1/auth/sso/callback?code=of-${state}&state=${state}`);
    await eventually('the token endpoint is asked', 10, () => issuer.requests.slice(asked).includes('/token'));
    await meanwhile();
    release();
    return (await coming).headers.get('location');
  }

  /** Lets a path of the issuer answer when it is released. */
  function hold(path: string, document: object): () => void {
    const { promise, resolve } = Promise.withResolvers<object>();
    issuer.scripts.set(path, () => promise);
    return () => resolve(document);
  }

  async function change(patch: object): Promise<void> {
    const { access_token: token } = await platform.login();
    const { status } = await platform.request('PATCH', `/v1/admin/identity-providers/${id}`, { token, body: patch });
    if (status !== 200) throw new Error(`The provider is not changed: ${status}`);
  }
});

async function setUp(): Promise<{ platform: Platform; issuer: SsoIssuer; id: string }> {
  const platform = await startPlatform({ PUBLIC_URL: 'http://localhost:15350' });
  const issuer = await SsoIssuer.start();
  const settings = { domains: ['contoso.example'], client_secret: 'the secret of the client' };
  return { platform, issuer, id: await addSsoProvider(platform, issuer, settings) };
}
