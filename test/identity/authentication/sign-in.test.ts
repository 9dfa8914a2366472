import { beforeAll, describe, expect, it } from '@jest/globals';
import { addUser, defaultTenantId, PASSWORD } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('signing in', () => {
  const platform = usePlatform();
  let tenantId: string;

  beforeAll(async () => {
    tenantId = await defaultTenantId(platform);
  });

  const login = (body: unknown) => platform.request('POST', '/v1/auth/login', { body });

  it('answers a token pair with the user', async () => {
    const { status, body, headers } = await login(platform.admin);

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^[\w-]{64}$/),
      token_type: 'bearer',
      expires_in: 3600,
      user: {
        id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
        email: platform.admin.email,
        username: 'admin',
        confirmed: true,
        created_at: expect.stringMatching(ISO_TIME),
        privileges: ['user', 'admin', 'sysadmin'],
        groupMemberships: [],
        userVersion: 1,
      },
    });
  });

  it('tells the holder of a token who that is', async () => {
    const { access_token, user } = await platform.login();

    const { status, body } = await platform.request('GET', '/v1/auth/me', { token: access_token });

    expect(status).toBe(200);
    expect(body).toEqual(user);
  });

  it('takes the email in any case and with spaces around', async () => {
    const { status } = await login({ ...platform.admin, email: ` ${platform.admin.email.toUpperCase()} ` });

    expect(status).toBe(200);
  });

  it('is the same over GraphQL', async () => {
    const query =
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType user { email } } }';

    const { body } = await platform.graphql(query, { ...platform.admin });

    expect(body).toEqual({ data: { login: { tokenType: 'bearer', user: { email: platform.admin.email } } } });
  });

  it('answers an unknown account, a wrong password and a suspended user alike', async () => {
    const suspended = await addUser(platform, tenantId, { status: 'suspended' });
    const disabled = await addUser(platform, tenantId, { status: 'disabled' });
    const withoutPassword = await addUser(platform, tenantId, { passwordHash: null });

    const answers = await Promise.all([
      login({ email: 'nobody@example.test', password: PASSWORD }),
      login({ email: platform.admin.email, password: 'wrong' }),
      login({ email: suspended.email, password: PASSWORD }),
      login({ email: disabled.email, password: PASSWORD }),
      login({ email: withoutPassword.email, password: PASSWORD }),
    ]);

    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(body).toEqual({
        error: { type: 'permission_error', code: 'unauthorized', message: 'The email or the password is wrong.' },
      });
    }
  });

  it('tells an unconfirmed user so, and nobody who lacks the password', async () => {
    const { email } = await addUser(platform, tenantId, { confirmed: false });

    const [right, wrong] = await Promise.all([
      login({ email, password: PASSWORD }),
      login({ email, password: 'wrong' }),
    ]);

    expect([right.status, right.body.error.reason]).toEqual([403, 'not_confirmed']);
    expect([wrong.status, wrong.body.error.reason]).toEqual([401, undefined]);
  });

  it.each([
    ['no email', { password: 'x' }, 'email'],
    ['no password', { email: 'a@example.test' }, 'password'],
    ['an email that is no text', { email: 1, password: 'x' }, 'email'],
    ['a password that is null', { email: 'a@example.test', password: null }, 'password'],
    ['an empty email', { email: ' ', password: 'x' }, 'email'],
    ['an empty password', { email: 'a@example.test', password: '' }, 'password'],
    ['an email with a NUL', { email: 'a\0@example.test', password: 'x' }, 'email'],
    ['an endless email', { email: `${'a'.repeat(320)}@example.test`, password: 'x' }, 'email'],
    ['an endless password', { email: 'a@example.test', password: 'x'.repeat(1_025) }, 'password'],
  ])('refuses %s and names the field', async (_, body, param) => {
    const answer = await login(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', code: 'bad_request', param });
    expect(answer.body.error.message).toContain(param);
  });

  it('works with strange characters, and never fails for them', async () => {
    const answers = await Promise.all(
      ['x\0y', '\ud800', '😀', "' OR 1=1 --"].map((password) => login({ email: 'nobody@example.test', password })),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});
