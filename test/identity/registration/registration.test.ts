import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addTenant, addUser, signIn } from '../../support/builders/accounts.js';
import { codeOf, MailServer } from '../../support/servers/mail-server.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, RestAnswer } from '../../support/servers/platform.js';

const PASSWORD = 'eleven brass kettles sing';

describe('registration', () => {
  let mails: MailServer;
  let platform: Platform;

  beforeAll(async () => {
    mails = await MailServer.start();
    platform = await startPlatform({ SMTP_URL: mails.url, PUBLIC_URL: 'https://ai.example.test' });
  });
  afterAll(() => Promise.all([platform.close(), mails.close()]));

  it('makes an account that signs in when its address is confirmed', async () => {
    const email = 'ada@people.test';

    const registered = await register(email);
    const early = await signInAs(email);
    const wrong = await signInAs(email, 'not the password at all');
    const mail = await mails.next(email);
    const confirmed = await confirm(email, codeOf(mail));
    const signedIn = await signInAs(email);

    expect(registered).toMatchObject({ status: 201, body: { email, username: 'Ada', confirmed: false } });
    expect([early.status, early.body.error.reason]).toEqual([403, 'not_confirmed']);
    expect([wrong.status, wrong.body.error.reason]).toEqual([401, undefined]);
    expect(mail).toMatchObject({ subject: 'Your confirmation code', html: expect.stringContaining(codeOf(mail)) });
    expect(confirmed).toMatchObject({ status: 200, body: { confirmed: true, user: { email, confirmed: true } } });
    expect(confirmed.body.user.id).toBe(registered.body.id);
    expect(signedIn.body.user).toMatchObject({ email, privileges: ['user'], groupMemberships: [] });
  });

  it('is made anew by whoever registers again before the confirmation', async () => {
    const email = 'bob@people.test';
    await register(email);
    const first = codeOf(await mails.next(email));

    const again = await register(email, 'a different passphrase here');
    const second = codeOf(await mails.next(email));

    expect(again.status).toBe(201);
    expect((await confirm(email, first)).status).toBe(first === second ? 200 : 400);
    expect((await confirm(email, second)).status).toBe(first === second ? 400 : 200);
    expect((await signInAs(email)).status).toBe(401);
    expect((await signInAs(email, 'a different passphrase here')).status).toBe(200);
  });

  it('lets a code be tried five times, and answers alike whatever is wrong', async () => {
    const email = 'cleo@people.test';
    await register(email);
    const code = codeOf(await mails.next(email));
    const wrong = code === '000000' ? '000001' : '000000';

    const tries = [];
    for (let index = 0; index < 5; index += 1) tries.push(await confirm(email, wrong));
    const late = await confirm(email, code);
    const unknown = await confirm('nobody@people.test', code);

    expect([...tries, late, unknown].map(({ status }) => status)).toEqual(Array(7).fill(400));
    expect(new Set([...tries, late, unknown].map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(tries[0]?.body.error).toMatchObject({ code: 'bad_request', param: 'code' });
  });

  it('takes no expired code', async () => {
    const email = 'dan@people.test';
    const { body } = await register(email);
    const code = codeOf(await mails.next(email));
    await platform.query('UPDATE confirmation_codes SET expires_at = now() WHERE user_id = $1', [body.id]);

    const answer = await confirm(email, code);

    expect(answer.status).toBe(400);
  });

  it('refuses an address that has an account', async () => {
    const email = platform.admin.email;

    const answer = await register(email);
    const check = await ask(email);

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'duplicate', param: 'email' } } });
    expect(check.body).toEqual({ email, can_register: false, reason: 'registered' });
    expect(mails.mails.filter(({ to }) => to?.[0]?.address === email)).toEqual([]);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@b.test, c@d.test' }],
    ['email', { email: 'a@b.test\r\nbcc: c@d.test' }],
    ['password', { password: 'short' }],
    ['password', { password: 'erin@people.test 2026' }],
    ['name', { name: '' }],
    ['name', { name: undefined }],
  ])('refuses a wrong %s: %j', async (param, members) => {
    const answer = await register('erin@people.test', PASSWORD, members);

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', param } } });
  });

  it('sends at most five mails an hour to an address', async () => {
    const email = 'finn@people.test';
    for (let index = 0; index < 5; index += 1) await register(email);

    const answer = await register(email);
    const reset = await platform.request('POST', '/v1/auth/password-reset-request', { body: { email } });

    expect([answer.status, reset.status]).toEqual([429, 429]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('5');
  });

  it('knows a domain however it is written', async () => {
    const spellings = ['mail。people.test', 'ｍail.people.test', 'mail.people.test.', 'ma\u00adil.people.test'];

    const answers = [];
    for (const domain of spellings) answers.push(await register(`una@${domain}`));
    const hidden = await register('u\u200bna@mail.people.test');

    expect(answers.map(({ status, body }) => [status, body.email])).toEqual(
      spellings.map(() => [201, 'una@mail.people.test']),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(hidden.status).toBe(400);
  });

  it('makes one account where an address is registered at the same moment', async () => {
    const email = 'gil@people.test';

    const answers = await Promise.all([register(email), register(email), register(email)]);

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('brings people to the tenant that lists their domain', async () => {
    const tenantId = await addTenant(platform);
    const set = await settings(tenantId, { allowed_domains: ['Listed.test'] });

    const check = await ask('ann@listed.test');
    const { body } = await register('ann@listed.test');
    const rows = await platform.query<{ tenant_id: string }>('SELECT tenant_id FROM users WHERE id = $1', [body.id]);

    expect(set.body).toMatchObject({ tenant_id: tenantId, allowed_domains: ['listed.test'], registration_open: null });
    expect(check.body).toEqual({ email: 'ann@listed.test', can_register: true, reason: 'available' });
    expect(rows).toEqual([{ tenant_id: tenantId }]);
  });

  it('is closed where the tenant says so, and tells nobody who is registered there', async () => {
    const tenantId = await addTenant(platform);
    await settings(tenantId, { allowed_domains: ['shut.test'], registration_open: false });
    const { email } = await addUser(platform, tenantId, { email: 'ann@shut.test' });

    const [known, unknown] = [await ask(email), await ask('bob@shut.test')];
    const answer = await register(email);

    expect(known.body).toEqual({ email, can_register: false, reason: 'closed' });
    expect(unknown.body).toMatchObject({ can_register: false, reason: 'closed' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden', reason: 'closed' } } });
  });

  it('asks for the directory where one knows the domain', async () => {
    const { access_token: token } = await platform.login();
    const body = {
      kind: 'ldap',
      name: 'People',
      domains: ['directory.test'],
      url: 'ldaps://127.0.0.1',
      base_dn: 'dc=test',
    };
    await platform.request('POST', '/v1/admin/identity-providers', { token, body });

    const check = await ask('ann@directory.test');
    const answer = await register('ann@directory。test');

    expect(check.body).toMatchObject({ can_register: false, reason: 'directory' });
    expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'directory' } } });
  });

  it('is forgotten after a day without a confirmation', async () => {
    const email = 'hal@people.test';
    const { body } = await register(email);
    const code = codeOf(await mails.next(email));
    await platform.query('UPDATE users SET confirm_before = now() WHERE id = $1', [body.id]);

    const late = await confirm(email, code);
    await platform.restart();
    const again = await register(email);

    expect(late.status).toBe(400);
    expect(again.status).toBe(201);
  });

  async function settings(tenantId: string, body: object): Promise<RestAnswer> {
    const { access_token: token } = await platform.login();
    return platform.request('PUT', `/v1/admin/tenants/${tenantId}/settings`, { token, body });
  }

  function register(email: string, password = PASSWORD, members: object = {}): Promise<RestAnswer> {
    const body = { email, password, name: 'Ada', ...members };
    return platform.request('POST', '/v1/auth/register', { body });
  }

  function confirm(email: string, code: string): Promise<RestAnswer> {
    return platform.request('POST', '/v1/auth/confirm', { body: { email, code } });
  }

  function ask(email: string): Promise<RestAnswer> {
    return platform.request('GET', `/v1/auth/check-registration?email=${encodeURIComponent(email)}`);
  }

  function signInAs(email: string, password = PASSWORD): Promise<RestAnswer> {
    return platform.request('POST', '/v1/auth/login', { body: { email, password } });
  }
});

describe('registration in production', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ NODE_ENV: 'production' });
  });
  afterAll(() => platform.close());

  it('needs a way to send mails', async () => {
    const body = { email: 'ada@people.test', password: PASSWORD, name: 'Ada' };

    const register = await platform.request('POST', '/v1/auth/register', { body });
    const reset = await platform.request('POST', '/v1/auth/password-reset-request', { body });

    expect(register).toMatchObject({ status: 409, body: { error: { code: 'capability_not_supported' } } });
    expect(reset).toMatchObject({ status: 409, body: { error: { code: 'capability_not_supported' } } });
  });

  it('is closed for those whom no tenant lists', async () => {
    const check = await platform.request('GET', '/v1/auth/check-registration?email=ada%40people.test');

    expect(check.body).toEqual({ email: 'ada@people.test', can_register: false, reason: 'closed' });
    expect(await signIn(platform, platform.admin.email, platform.admin.password)).toHaveProperty('access_token');
  });
});
