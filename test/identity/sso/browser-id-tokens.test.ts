import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../../support/probes/browser.js';
import { unsigned } from '../../support/probes/forgery.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addSsoProvider, makeKey, signWith, SsoIssuer } from '../../support/servers/sso-issuer.js';
import type { ClaimChanges } from '../../support/servers/sso-issuer.js';

const SETTINGS = { domains: ['contoso.example'], client_secret: 'the secret of the client' };

describe('the id token of a sign-in by a browser', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform({ PUBLIC_URL: 'http://localhost:15350' }), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer, { ...SETTINGS, audience: 'an-api' });
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
    ['has no tid and an address elsewhere', (nonce) => ({ nonce, ...NOBODYS, email: 'ada@contoso.example.test' })],
    ['has no tid and a name for an address', (nonce) => ({ nonce, ...NOBODYS, preferred_username: 'ada' })],
    ['has a tid that is empty', (nonce) => ({ nonce, tid: null })],
    ['has an email that is not verified', (nonce) => ({ nonce, ...UNVERIFIED, email_verified: false })],
    ['has one that is not verified as a text', (nonce) => ({ nonce, ...UNVERIFIED, email_verified: 'false' })],
    ['has one of another tid', (nonce) => ({ nonce, ...UNVERIFIED, email_verified: true, tid: 'other' })],
  ])('does not count where it %s', async (_what, changes) => {
    const now = Math.floor(Date.now() / 1_000);

    expect(await landWith((nonce) => issuer.token('ada', changes(nonce, now)))).toBe('/dashboard#error=sso_failed');
  });

  it.each<[string, (nonce: string) => ClaimChanges]>([
    ['has no tid, and an address of the domain', (nonce) => ({ nonce, tid: undefined })],
    ['has one in another spelling', (nonce) => ({ nonce, ...NOBODYS, email: ' Tom@CONTOSO.example. ' })],
    ['has the tid, and an address elsewhere', (nonce) => ({ nonce, upn: 'ada@guests.example' })],
    ['has a verified email', (nonce) => ({ nonce, ...UNVERIFIED, email_verified: 'true' })],
    ['has an upn beside an email that is not', (nonce) => ({ nonce, email: 'a@b.example', email_verified: false })],
  ])('counts where it %s', async (_what, changes) => {
    expect(await landWith((nonce) => issuer.token(`ada-${randomUUID()}`, changes(nonce)))).toMatch(/#code=/);
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
    await addSsoProvider(platform, away, { ...SETTINGS, tid: 'away', domains: ['away.example'] });
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
    const back = await browser.get(`${platform.url}/v1/auth/sso/callback?code=${randomUUID()}&state=${state}`);
    return back.headers.get('location');
  }
});

/** Of an issuer that anybody may have an account at. */
const NOBODYS = { tid: undefined, upn: undefined } as const;
const UNVERIFIED = { upn: undefined, email: 'eve@contoso.example' } as const;
