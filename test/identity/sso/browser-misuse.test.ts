import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../../support/probes/browser.js';
import { refusals } from '../../support/probes/sso-refusals.js';
import { SsoBed } from '../../support/builders/sso-browser.js';

const FAILED = '/dashboard#error=sso_failed';

describe('single sign-on by a browser, misused', () => {
  let bed: SsoBed;
  beforeAll(async () => {
    bed = await SsoBed.start();
    for (const name of ['ada', 'mallory', 'sue', 'foreign']) bed.addPerson(name);
  });
  afterAll(() => bed.close());

  it('ends in the browser alone that has begun', async () => {
    const [own, other, begun] = [new Browser(), new Browser(), new Browser()];
    const back = await bed.signInAtProvider(own, 'ada');
    await bed.start(begun);

    const targets = [await land(other, back), await land(begun, back), await land(own, back)];

    expect(targets).toEqual([FAILED, FAILED, expect.stringMatching(/^\/dashboard#code=[\w-]{43}$/)]);
  });

  it('ends once', async () => {
    const browser = new Browser();
    const back = await bed.signInAtProvider(browser, 'ada');

    const targets = [await land(browser, back), await land(browser, back)];

    expect(targets).toEqual([expect.stringContaining('#code='), FAILED]);
  });

  it('does not end with the code of another sign-in, whose verifier it has not', async () => {
    const [victim, attacker] = [new Browser(), new Browser()];
    const stolen = (await bed.signInAtProvider(victim, 'ada')).searchParams.get('code') ?? '';
    const back = await bed.signInAtProvider(attacker, 'mallory');
    back.searchParams.set('code', stolen);

    expect(await land(attacker, back)).toBe(FAILED);
  });

  it.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'A'.repeat(43))],
    ['no state', (back) => back.searchParams.delete('state')],
    ['no code', (back) => back.searchParams.delete('code')],
    ['an unknown code', (back) => back.searchParams.set('code', 'unknown')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://issuer.example')],
    ['no issuer, which the provider always names', (back) => back.searchParams.delete('iss')],
    ['a refusal of the provider', (back) => back.searchParams.set('error', 'access_denied')],
    ['nothing at all', (back) => void (back.search = '')],
  ])('fails without a word with %s', async (_what, change) => {
    const browser = new Browser();
    const back = await bed.signInAtProvider(browser, 'ada');
    change(back);

    expect(await land(browser, back)).toBe(FAILED);
  });

  it('fails where the cookie is there twice, since somebody else has set it too', async () => {
    const browser = new Browser();
    const back = await bed.signInAtProvider(browser, 'ada');
    const cookie = `__Host-sso=${browser.cookies.get('__Host-sso')}`;

    const { headers } = await fetch(back, { redirect: 'manual', headers: { cookie: `${cookie}; ${cookie}` } });

    expect(headers.get('location')).toBe(FAILED);
  });

  it('tells the log in a sentence why the provider gives no token', async () => {
    const browser = new Browser();
    const back = await bed.signInAtProvider(browser, 'ada');
    back.searchParams.set('error', 'access_denied');

    await land(browser, back);

    const reason = 'The person, or the identity provider, has refused the sign-in.';
    expect(refusals(bed.platform).at(-1)).toMatchObject({ reason });
  });

  it('fails after ten minutes', async () => {
    const browser = new Browser();
    const back = await bed.signInAtProvider(browser, 'ada');
    await bed.platform.query("UPDATE sso_flows SET expires_at = now() - interval '1 second'");

    expect(await land(browser, back)).toBe(FAILED);
  });

  it('refuses people of another tid', async () => {
    bed.addPerson('foreign', { tid: 'another-tenant' });
    const browser = new Browser();

    expect(await land(browser, await bed.signInAtProvider(browser, 'foreign'))).toBe(FAILED);
  });

  it('refuses who is suspended, and whoever comes back after the provider was disabled', async () => {
    const browser = new Browser();
    await bed.codeFor(browser, 'sue');
    await bed.platform.query("UPDATE users SET status = 'suspended' WHERE external_id = 'sue'");
    const suspended = await land(browser, await bed.signInAtProvider(browser, 'sue'));
    const back = await bed.signInAtProvider(browser, 'ada');
    await bed.platform.query('UPDATE identity_providers SET enabled = false');
    const disabled = await land(browser, back);
    await bed.platform.query('UPDATE identity_providers SET enabled = true');

    expect([suspended, disabled]).toEqual([FAILED, FAILED]);
  });

  it.each<[string, (browser: Browser) => Promise<unknown>]>([
    ['by another browser', async (browser) => browser.cookies.set('__Host-sso', 'A'.repeat(43))],
    ['without the cookie', async (browser) => browser.cookies.clear()],
    ['after a minute', () => bed.platform.query("UPDATE sso_codes SET expires_at = now() - interval '1 second'")],
    ['after the sessions of the user have ended', () => bed.platform.query('UPDATE users SET user_version = 7')],
  ])('gives no tokens for a code %s', async (_when, meddle) => {
    const browser = new Browser();
    const code = await bed.codeFor(browser, 'ada');
    await meddle(browser);

    const { status, text } = await browser.post(bed.at('/v1/auth/sso/exchange'), { code });

    expect(status).toBe(401);
    expect(JSON.parse(text).error).toEqual({
      message: 'The single sign-on has failed. Please start it again.',
      type: 'permission_error',
      code: 'unauthorized',
    });
  });

  it('gives tokens for a code once', async () => {
    const browser = new Browser();
    const code = await bed.codeFor(browser, 'ada');
    const cookies = new Map(browser.cookies);
    const first = await browser.post(bed.at('/v1/auth/sso/exchange'), { code });
    for (const [name, value] of cookies) browser.cookies.set(name, value);

    const second = await browser.post(bed.at('/v1/auth/sso/exchange'), { code });

    expect([first.status, second.status]).toEqual([200, 401]);
  });
});

/** Where the platform sends a browser that has come back to it, as it is written. */
async function land(browser: Browser, back: URL): Promise<string> {
  const { status, headers, text } = await browser.get(back);
  if (status !== 302 || text !== '') throw new Error(`The browser is not sent on: ${status} ${text}`);
  return headers.get('location') ?? '';
}
