import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser } from '../../support/probes/browser.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, RestAnswer } from '../../support/servers/platform.js';
import { addSsoProvider, SsoIssuer } from '../../support/servers/sso-issuer.js';
import { giveCodes, HONEST_CLIENT, HONEST_SECRET, relay } from '../../support/builders/sso-mix-up.js';
import type { Victim } from '../../support/builders/sso-mix-up.js';

const FAILED = '/dashboard#error=sso_failed';

describe('a provider that sends its browsers on to another one', () => {
  let [platform, honest, hostile]: [Platform, SsoIssuer, SsoIssuer] = [] as never;
  let [victim, sequence]: [Victim, number] = [undefined as never, 0];
  beforeAll(async () => ({ platform, hostile } = await setUp()));
  beforeEach(async () => {
    const tid = `honest-${(sequence += 1)}`;
    [honest, victim] = [await SsoIssuer.start(), { oid: 'victim', tid, upn: `victim@${tid}.example` }];
  });
  afterEach(() => honest.close());
  afterAll(() => Promise.all([platform.close(), hostile.close()]));

  it('gets no session for the id token that it gets for a code of a public client', async () => {
    await addHonest();
    giveCodes(honest, victim);
    const loot = relay(hostile, honest);
    const end = await walk(new Browser(), 'anybody@hostile.example');

    const answer = await present(loot.idToken);

    expect([end, typeof loot.idToken]).toEqual([FAILED, 'string']);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual((await present('no proof')).body);
  });

  it.each([
    ['as it is', ''],
    ['with a space behind it', ' '],
  ])('gets no session for a code of a client with a secret that it brings to its own sign-in %s', async (_how, end) => {
    await addHonest({ client_secret: HONEST_SECRET });
    giveCodes(honest, victim, HONEST_SECRET);
    const attacker = new Browser();
    const own = new URL((await begin(attacker, victim.upn)).headers.get('location') ?? '');
    const { state = '', nonce = '', code_challenge: challenge = '' } = Object.fromEntries(own.searchParams);
    const loot = relay(hostile, honest, { nonce, code_challenge: challenge });
    await walk(new Browser(), 'anybody@hostile.example');

    const page = await comeBack(attacker, new URLSearchParams({ code: `${loot.codes[0]?.code}${end}`, state }));

    expect([loot.codes.length, page]).toEqual([1, FAILED]);
  });

  it('never sees a code of an issuer that names itself in its answers', async () => {
    honest.configuration = { authorization_response_iss_parameter_supported: true };
    await addHonest();
    giveCodes(honest, victim);
    const loot = relay(hostile, honest);

    const end = await walk(new Browser(), 'anybody@hostile.example');

    expect([end, loot.codes]).toEqual([FAILED, []]);
  });

  it.each<[string, object, object]>([
    ['a client secret', { client_secret: HONEST_SECRET }, {}],
    ['an issuer that names itself in its answers', {}, { authorization_response_iss_parameter_supported: true }],
  ])('takes nothing from the people of a provider with %s', async (_what, settings, configuration) => {
    honest.configuration = configuration as Record<string, unknown>;
    await addHonest(settings);
    giveCodes(honest, victim, 'client_secret' in settings ? HONEST_SECRET : undefined);

    expect(await walk(new Browser(), victim.upn)).toMatch(/^\/dashboard#code=/);
  });

  it('has no browsers sent to it, nor has the other one, without a secret and a name in its answers', async () => {
    const id = await addHonest();

    const { status, body, headers } = await platform.request('GET', `/v1/auth/sso/start?email=${victim.upn}`);
    const path = `/v1/admin/identity-providers/${id}/test`;
    const test = await platform.request('POST', path, { token: (await platform.login()).access_token });

    expect([status, body.error.code, headers.get('set-cookie')]).toEqual([409, 'capability_not_supported', null]);
    expect(body.error.message).toMatch(/client_secret.*authorization_response_iss_parameter_supported/);
    expect(test.body).toEqual({ success: false, message: body.error.message });
  });

  function addHonest(values: object = {}): Promise<string> {
    const [, domain] = victim.upn.split('@');
    const settings = { tid: victim.tid, domains: [domain], client_id: HONEST_CLIENT };
    return addSsoProvider(platform, honest, { ...settings, ...values });
  }

  function begin(browser: Browser, email: string): ReturnType<Browser['get']> {
    return browser.get(`${platform.url}/v1/auth/sso/start?email=${email}`);
  }

  /** Goes wherever a browser is sent, which nobody sees. @returns the page at its end */
  async function walk(browser: Browser, email: string): Promise<string> {
    let { location } = await begin(browser, email);
    while (location && location.pathname !== '/v1/auth/sso/callback') ({ location } = await browser.get(location));
    return comeBack(browser, location?.searchParams ?? new URLSearchParams());
  }

  /** The public address is the platform's. */
  async function comeBack(browser: Browser, answer: URLSearchParams): Promise<string> {
    const { headers } = await browser.get(`${platform.url}/v1/auth/sso/callback?${answer}`);
    return headers.get('location') ?? '';
  }

  function present(idToken: string | undefined): Promise<RestAnswer> {
    return platform.request('POST', '/v1/auth/sso', { body: { ...victim, id_token: idToken } });
  }
});

async function setUp(): Promise<{ platform: Platform; hostile: SsoIssuer }> {
  const platform = await startPlatform({ PUBLIC_URL: 'http://localhost:15350' });
  const hostile = await SsoIssuer.start();
  const settings = { tid: 'hostile', domains: ['hostile.example'], client_secret: 'what the hostile one says it is' };
  await addSsoProvider(platform, hostile, settings);
  return { platform, hostile };
}
