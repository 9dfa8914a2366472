import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../../support/browser.js';
import { unsigned } from '../../support/forgery.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { addSsoProvider, makeKey, signWith, SsoIssuer } from '../../support/sso-issuer.js';
import type { ClaimChanges } from '../../support/sso-issuer.js';

describe('the id token of a sign-in by a browser', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform({ PUBLIC_URL: 'http://localhost:15350' }), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer, { domains: ['contoso.example'], audience: 'an-api' });
  });
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it('counts where it is for this client and has the nonce, over plain http on one machine too', async () => {
    expect(await landWith((nonce) => issuer.token('ada', { nonce }))).toMatch(/^\/dashboard#code=/);
  });

  it.each<[string, (nonce: string, now: number) => ClaimChanges]>([
    ['has another nonce', () => ({ nonce: 'A'.repeat(43) })],
    ['has no nonce', () => ({})],
    ['is for the audience of proofs', (nonce) => ({ nonce, aud: 'an-api' })],
    ['is of another issuer', (nonce) => ({ nonce, iss: 'https://issuer.example' })],
    ['is of another tid', (nonce) => ({ nonce, tid: 'another-tenant' })],
    ['is over', (nonce, now) => ({ nonce, exp: now - 90 })],
    ['is six minutes old', (nonce, now) => ({ nonce, iat: now - 365 })],
    ['has an oid that is none', (nonce) => ({ nonce, oid: 7 })],
    ['has no address', (nonce) => ({ nonce, upn: undefined })],
  ])('does not count where it %s', async (_what, changes) => {
    const now = Math.floor(Date.now() / 1_000);

    expect(await landWith((nonce) => issuer.token('ada', changes(nonce, now)))).toBe('/dashboard#error=sso_failed');
  });

  it('does not count where its signature is not of the published keys, whoever has sent it', async () => {
    const other = makeKey('RS256');
    const header = { alg: 'RS256', kid: issuer.keys[0]?.jwk.kid };

    const targets = [
      await landWith((nonce) => signWith(other, header, issuer.claims('ada', { nonce }))),
      await landWith((nonce) => `${unsigned({ alg: 'none' }, issuer.claims('ada', { nonce }))}.`),
      await landWith(() => 'no token'),
      await landWith(() => ''),
    ];

    expect(new Set(targets)).toEqual(new Set(['/dashboard#error=sso_failed']));
    expect(platform.logLines.join('\n')).not.toContain('ada@contoso.example');
  });

  it('is one of an issuer that can be reached, else the browser is not sent off, or told that it failed', async () => {
    const away = await SsoIssuer.start();
    await addSsoProvider(platform, away, { tid: 'away', domains: ['away.example'] });
    await away.close();

    const { status, body } = await platform.request('GET', '/v1/auth/sso/start?email=a@away.example');

    expect([status, body.error.code]).toEqual([503, 'unavailable']);
  });

  /** Where a browser ends whose provider gives this token. */
  async function landWith(make: (nonce: string) => string): Promise<string | null> {
    const browser = new Browser();
    const { location } = await browser.get(`${platform.url}/v1/auth/sso/start?email=ada@contoso.example`);
    const { state = '', nonce = '' } = Object.fromEntries(location?.searchParams ?? []);
    issuer.nextToken = make(nonce);
    const back = await browser.get(`${platform.url}/v1/auth/sso/callback?code=any&state=${state}`);
    return back.headers.get('location');
  }
});
