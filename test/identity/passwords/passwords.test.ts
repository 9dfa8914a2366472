import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addApiToken,
  addSignedInUser,
  addUser,
  PASSWORD,
  refreshTokens,
  signIn,
  whoAmI,
} from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { tokenOf } from '../../support/servers/mail-server.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const NEXT = 'twelve copper spoons in a row';
const service = newServiceKey();

describe('a password', () => {
  let mailed: MailedPlatform;
  let user: SignedInUser;

  beforeAll(async () => {
    mailed = await MailedPlatform.start(service.env);
    user = await addSignedInUser(mailed.platform);
  });
  afterAll(() => mailed.close());

  it('is changed by its user, whose other sessions end', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const other = await signIn(mailed.platform, ann.email);
    const pat = await addApiToken(mailed.platform, ann.token);

    const answer = await change(ann.token, PASSWORD, NEXT);

    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect((await whoAmI(mailed.platform, ann.token)).status).toBe(200);
    expect((await whoAmI(mailed.platform, pat.token)).status).toBe(200);
    expect((await whoAmI(mailed.platform, other.access_token)).body.error.reason).toBe('token_revoked');
    expect((await refreshTokens(mailed.platform, other.refresh_token)).status).toBe(401);
    expect((await login(ann.email, PASSWORD)).status).toBe(401);
    expect((await login(ann.email, NEXT)).status).toBe(200);
  });

  it('is not changed by whoever does not know it, nor by guessing', async () => {
    const bob = await addSignedInUser(mailed.platform);

    const answers = [];
    for (let index = 0; index < 11; index += 1) answers.push(await change(bob.token, 'no password of mine', NEXT));

    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(400));
    expect(answers[0]?.body.error).toMatchObject({ code: 'bad_request', param: 'current_password' });
    expect(answers[10]?.status).toBe(429);
  });

  it('is not changed with a personal access token', async () => {
    const { token } = await addApiToken(mailed.platform, user.token);

    const answer = await change(token, PASSWORD, NEXT);

    expect(answer.status).toBe(403);
  });

  it.each([['short'], ['x'.repeat(257)], ['passwordpassword']])('must be a good one: %s', async (next) => {
    const answer = await change(user.token, PASSWORD, next);

    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'new_password' } } });
  });

  it('is set anew by the link of a mail, which works once and ends every session', async () => {
    const cleo = await addSignedInUser(mailed.platform);

    const asked = await request(cleo.email);
    const mail = await mailed.mails.next(cleo.email);
    const token = tokenOf(mail);
    const answer = await reset(token, NEXT);
    const again = await reset(token, 'another passphrase altogether');

    expect(asked).toMatchObject({ status: 200, body: { success: true } });
    expect(mail.text).toContain(`https://ai.example.test/account#/password-reset?token=${token}`);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(again).toMatchObject({ status: 400, body: { error: { param: 'token' } } });
    expect((await whoAmI(mailed.platform, cleo.token)).status).toBe(401);
    expect((await login(cleo.email, NEXT)).status).toBe(200);
  });

  it('keeps the token of a mail where the new one is refused', async () => {
    const { email } = await addUser(mailed.platform, user.tenantId);
    await request(email);
    const token = tokenOf(await mailed.mails.next(email));

    const refused = await reset(token, 'short');
    const answer = await reset(token, NEXT);

    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'new_password' } } });
    expect(answer.status).toBe(200);
  });

  it('is set by one of two who use a token at the same moment', async () => {
    const { email } = await addUser(mailed.platform, user.tenantId);
    await request(email);
    const token = tokenOf(await mailed.mails.next(email));

    const answers = await Promise.all([reset(token, NEXT), reset(token, NEXT), reset(token, NEXT)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('is not set by a token from before a new one', async () => {
    const { platform, mails, sysadmin } = mailed;
    const invitation = { email: 'ida@tokens.test', name: 'Ida' };
    await platform.request('POST', '/v1/admin/users', { token: sysadmin, body: invitation });
    const invited = tokenOf(await mails.next(invitation.email));
    await set({ email: invitation.email, new_password: PASSWORD });
    const { access_token } = await signIn(platform, invitation.email);
    await request(invitation.email);
    const asked = tokenOf(await mails.next(invitation.email));
    await change(access_token, PASSWORD, NEXT);

    const answers = [await reset(invited, PASSWORD), await reset(asked, PASSWORD)];

    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect((await login(invitation.email, NEXT)).status).toBe(200);
  });

  it('is not set by a token that has expired', async () => {
    const { id, email } = await addUser(mailed.platform, user.tenantId);
    await request(email);
    const token = tokenOf(await mailed.mails.next(email));
    await mailed.platform.query('UPDATE password_tokens SET expires_at = now() WHERE user_id = $1', [id]);

    const answers = [await reset(token, NEXT), await reset('x'.repeat(43), NEXT), await reset('nonsense', NEXT)];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('is asked for with the same answer for every address, and mailed where there is one', async () => {
    const { id: suspended } = await addUser(mailed.platform, user.tenantId, {
      status: 'suspended',
      email: 'suspended@people.test',
    });
    const known = await addUser(mailed.platform, user.tenantId);

    const answers = [
      await request('nobody@people.test'),
      await request('suspended@people.test'),
      await request(known.email),
    ];
    await mailed.mails.next(known.email);

    const told = answers.map(({ status, body, headers }) => JSON.stringify([status, body, [...headers.keys()]]));
    expect(new Set(told).size).toBe(1);
    expect(mailed.mails.mails).toEqual([]);
    expect(await mailed.platform.query('SELECT FROM password_tokens WHERE user_id = $1', [suspended])).toEqual([]);
  });

  it('is set by a service, by id and by address, and every session ends', async () => {
    const dan = await addSignedInUser(mailed.platform);

    const byId = await set({ user_id: dan.id, new_password: NEXT });
    const ended = await whoAmI(mailed.platform, dan.token);
    const byEmail = await set({ email: dan.email.toUpperCase(), new_password: PASSWORD });

    expect([byId.status, byEmail.status, ended.status]).toEqual([200, 200, 401]);
    expect((await login(dan.email, PASSWORD)).status).toBe(200);
  });

  it.each([
    [400, {}],
    [400, { user_id: 'usr_01h45ytscbebyvny4gc8cr8ma2', email: 'a@b.test' }],
    [404, { user_id: 'usr_01h45ytscbebyvny4gc8cr8ma2' }],
    [404, { user_id: 'nonsense' }],
    [404, { email: 'nobody@people.test' }],
  ])('is not set by a service for nobody: %i %j', async (status, account) => {
    const answer = await set({ ...account, new_password: NEXT });

    expect(answer.status).toBe(status);
  });

  it('is set by services alone', async () => {
    const { access_token: sysadmin } = await mailed.platform.login();

    const answer = await set({ user_id: user.id, new_password: NEXT }, sysadmin);

    expect(answer.status).toBe(401);
  });

  it('is nowhere in the log, nor are tokens of mails', async () => {
    const { email } = await addUser(mailed.platform, user.tenantId);
    await request(email);
    const token = tokenOf(await mailed.mails.next(email));
    await reset(token, NEXT);

    const log = mailed.platform.logLines.join('\n');

    expect([NEXT, PASSWORD, token, email].filter((secret) => log.includes(secret))).toEqual([]);
  });

  function change(token: string, current: string, next: string): Promise<RestAnswer> {
    const body = { current_password: current, new_password: next };
    return mailed.platform.request('POST', '/v1/auth/change-password', { token, body });
  }

  function request(email: string): Promise<RestAnswer> {
    return mailed.platform.request('POST', '/v1/auth/password-reset-request', { body: { email } });
  }

  function reset(token: string, password: string): Promise<RestAnswer> {
    return mailed.platform.request('POST', '/v1/auth/password-reset', { body: { token, new_password: password } });
  }

  function set(body: object, token = service.key): Promise<RestAnswer> {
    return mailed.platform.request('POST', '/v1/auth/admin/set-password', { token, body });
  }

  function login(email: string, password: string): Promise<RestAnswer> {
    return mailed.platform.request('POST', '/v1/auth/login', { body: { email, password } });
  }
});
