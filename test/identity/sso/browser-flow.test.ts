import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { whoAmI } from '../../support/builders/accounts.js';
import { Browser } from '../../support/probes/browser.js';
import { PUBLIC_URL, SsoBed } from '../../support/builders/sso-browser.js';

describe('single sign-on by a browser', () => {
  let bed: SsoBed;
  beforeAll(async () => void (bed = await SsoBed.start()));
  afterAll(() => bed.close());

  it('signs somebody in at an OpenID provider, and gives the page the tokens for a code', async () => {
    bed.addPerson('ada');
    const browser = new Browser();
    const code = await bed.codeFor(browser, 'ada');

    const { status, text } = await browser.post(bed.at('/v1/auth/sso/exchange'), { code });

    const pair = JSON.parse(text);
    expect(status).toBe(200);
    expect(pair.user).toMatchObject({ email: 'ada@contoso.example', username: 'Name of ada', privileges: ['user'] });
    expect((await whoAmI(bed.platform, pair.access_token)).body.id).toBe(pair.user.id);
    expect(browser.cookies.size).toBe(0);
  });

  it('asks the provider for a code with PKCE, state and nonce, back to the public address', async () => {
    const response = await fetch(bed.at('/v1/auth/sso/start?email=Ada@Contoso.example'), {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });

    const url = new URL(response.headers.get('location') ?? '');
    const sent = Object.fromEntries(url.searchParams);
    expect([response.status, await response.text(), url.origin]).toEqual([302, '', bed.provider.url]);
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'platform-client',
      scope: 'openid profile email',
      redirect_uri: `${PUBLIC_URL}/v1/auth/sso/callback`,
      code_challenge_method: 'S256',
      login_hint: 'ada@contoso.example',
    });
    for (const name of ['state', 'code_challenge']) expect(sent[name]).toMatch(/^[\w-]{43}$/);
    expect(sent.nonce).toMatch(/^browser-sso-[\w-]{43}$/);
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each(['one tab after another', 'both tabs at each step'])('signs both tabs of a browser in: %s', async (order) => {
    bed.addPerson('pat');
    const browser = new Browser();
    const backs = [await bed.signInAtProvider(browser, 'pat'), await bed.signInAtProvider(browser, 'pat')];
    const land = async (back: URL) => (await browser.get(back)).location?.hash.slice('#code='.length);
    const exchange = (code?: string) => browser.post(bed.at('/v1/auth/sso/exchange'), { code });

    const pages = [];
    if (order.startsWith('one')) for (const back of backs) pages.push(await exchange(await land(back)));
    else
      for (const code of [await land(backs[0] as URL), await land(backs[1] as URL)]) pages.push(await exchange(code));

    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(browser.cookies.size).toBe(0);
  });

  it('leads to the same account as a proof does', async () => {
    bed.addPerson('bob');
    const [one, other] = [new Browser(), new Browser()];
    const pairs = [];
    for (const browser of [one, other]) {
      const code = await bed.codeFor(browser, 'bob');
      pairs.push(JSON.parse((await browser.post(bed.at('/v1/auth/sso/exchange'), { code })).text));
    }

    expect(pairs[1].user.id).toBe(pairs[0].user.id);
  });

  it('knows somebody without an oid by the subject, and takes the email where there is no other address', async () => {
    bed.addPerson('eve', { oid: undefined, tid: undefined, upn: undefined, email: 'Eve@Contoso.example' });
    const browser = new Browser();
    const code = await bed.codeFor(browser, 'eve');

    const { text } = await browser.post(bed.at('/v1/auth/sso/exchange'), { code });

    const { user } = JSON.parse(text);
    const [row] = await bed.platform.query<object>('SELECT external_id, email FROM users WHERE id = $1', [user.id]);
    expect(row).toEqual({ external_id: 'sub:eve', email: 'eve@contoso.example' });
  });

  it('puts no token into an address, a cookie or the log, and keeps no secret that could be used', async () => {
    bed.addPerson('tom');
    const browser = new Browser();
    const code = await bed.codeFor(browser, 'tom');
    const begun = await bed.start(browser);

    const flows = await bed.platform.query<object>("SELECT *, encode(verifier_sealed, 'escape') FROM sso_flows");
    const codes = await bed.platform.query<object>('SELECT * FROM sso_codes');
    const kept = JSON.stringify([flows, codes, bed.platform.logLines, [...browser.cookies.values()]]);
    expect([flows.length > 0, codes.length > 0]).toEqual([true, true]);
    for (const secret of [code, begun.searchParams.get('state') ?? '']) expect(kept).not.toContain(secret);
    expect(kept).not.toContain('eyJ');
    expect(kept).not.toContain('tom@contoso.example');
  });

  it('does the same over GraphQL', async () => {
    const { status, body, headers } = await bed.platform.graphql(
      'mutation { startSso(email: "ada@contoso.example") { url } }',
    );

    expect(status).toBe(200);
    expect(body.data.startSso.url).toContain(bed.provider.url);
    expect(headers.get('set-cookie')).toContain('__Host-sso=');
  });

  it.each([
    ['a domain without single sign-on', 'ada@other.example', 404],
    ['what is no domain', 'ada', 404],
    ['an empty address', '', 400],
  ])('answers %s with an error', async (_what, email, status) => {
    const answer = await bed.platform.request('GET', `/v1/auth/sso/start?email=${email}`);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('answers no HEAD, which would begin or end a sign-in that nobody goes on with', async () => {
    const answers = await Promise.all(
      ['start?email=a@contoso.example', 'callback'].map((path) => bed.platform.request('HEAD', `/v1/auth/sso/${path}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([405, 405]);
    expect(answers.map(({ headers }) => headers.get('allow'))).toEqual(['GET', 'GET']);
  });
});
