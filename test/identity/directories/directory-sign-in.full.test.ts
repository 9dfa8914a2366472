import { afterAll, beforeAll, expect } from '@jest/globals';
import { addUser, defaultTenantId, PASSWORD, signIn } from '../../support/builders/accounts.js';
import { addDirectory, directorySettings, tryToSignIn } from '../../support/builders/directories.js';
import { DirectoryServer, personDn } from '../../support/servers/directory-server.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onSlapd } from '../../support/servers/services.js';

onSlapd.describe('a sign-in by a directory', () => {
  const { it } = onSlapd;
  let server: DirectoryServer;
  let platform: Platform;
  let token: string;
  let id: string;
  beforeAll(async () => ({ server, platform, token, id } = await setUp()));
  afterAll(() => Promise.all([platform.close(), server.close()]));

  it('makes the account of whoever the directory knows', async () => {
    const { user } = (await signIn(platform, 'Alice@example.test', 'alicepw')) as { user: object };

    expect(user).toMatchObject({ email: 'alice@example.test', username: 'Alice Doe', privileges: ['user'] });
    const [row] = await platform.query<{ password_hash: unknown }>(
      "SELECT password_hash, identity_provider_id, external_id FROM users WHERE email = 'alice@example.test'",
    );
    expect(row).toEqual({
      password_hash: null,
      identity_provider_id: id,
      external_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('begins TLS on a plain connection where it is told to', async () => {
    await change({ url: server.url, start_tls: true, bind_password: 'adminpw' });

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    await change({ url: server.tlsUrl, start_tls: false, bind_password: 'adminpw' });
    expect(status).toBe(200);
  });

  it('is refused with a wrong password, an unknown address, and an address that means something in a filter', async () => {
    const emails = [
      'nobody@example.test',
      '*@example.test',
      'alice@example.test)(uid=*@example.test',
      'a*e@example.test',
    ];

    const wrong = await tryToSignIn(platform, 'alice@example.test', 'bobpw');
    const unknown = await Promise.all(emails.map((email) => tryToSignIn(platform, email, 'alicepw')));

    for (const answer of [wrong, ...unknown]) {
      expect(answer).toMatchObject({
        status: 401,
        body: { error: { message: 'The email or the password is wrong.' } },
      });
    }
  });

  it('is refused without a password, which a directory would take for nobody', async () => {
    const { status } = await tryToSignIn(platform, 'alice@example.test', '');

    expect(status).toBe(400);
  });

  it('finds the same account after a change of the address', async () => {
    const before = await signIn(platform, 'bob@example.test', 'bobpw');
    await server.replace(personDn('bob'), 'mail', ['robert@example.test']);

    const after = await signIn(platform, 'robert@example.test', 'bobpw');

    await server.replace(personDn('bob'), 'mail', ['bob@example.test']);
    expect(after.user).toMatchObject({ id: before.user.id, email: 'robert@example.test' });
  });

  it('never takes the password of a local account, but for the first administrator', async () => {
    const local = await addUser(platform, await defaultTenantId(platform), { email: 'local@example.test' });

    const refused = await tryToSignIn(platform, local.email, PASSWORD);
    const { status } = await tryToSignIn(platform, platform.admin.email, platform.admin.password);

    expect(refused.status).toBe(401);
    expect(status).toBe(200);
  });

  it('is refused for an entry whose address is another one than the one that signs in', async () => {
    await change({ user_filter: '(|(mail={email})(uid=alice))' });

    const { status } = await tryToSignIn(platform, 'bobby@example.test', 'alicepw');

    await change({ user_filter: '(mail={email})' });
    expect(status).toBe(401);
    expect(platform.logLines.join('')).toContain('email_attribute of the entry that was found is another address');
  });

  it('is refused where two entries have the address', async () => {
    await server.addPerson({ uid: 'twin', mail: 'alice@example.test' });

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    await server.change((client) => client.del(personDn('twin')));
    expect(status).toBe(401);
  });

  it('is 503 while the directory is away, with one warning that names nobody', async () => {
    await server.stop();
    const from = platform.logLines.length;

    const answer = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    const warnings = platform.logLines.slice(from).filter((line) => line.includes('directory could not be asked'));
    await server.resume();
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, provider: id, failure: 'unreachable', code: 'ECONNREFUSED' }),
    ]);
    expect(warnings[0]).not.toMatch(/alice|localhost|127/);
    expect((await tryToSignIn(platform, 'alice@example.test', 'alicepw')).status).toBe(200);
  });

  it.each([
    ['a certificate of another authority', 'tls', () => ({ ca: null })],
    ['a name that the certificate does not have', 'tls', () => elsewhere('127.0.0.1')],
    ['a service account that is refused', 'result', () => ({ bind_password: 'wrong' })],
    ['a base that is not there', 'result', () => ({ base_dn: 'ou=nowhere,dc=example,dc=test' })],
    ['a filter that is none', 'settings', () => ({ user_filter: '((mail={email})' })],
  ])('is 503 with %s', async (_, failure, patch) => {
    const from = platform.logLines.length;
    await change(patch());

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    const warning = platform.logLines.slice(from).find((line) => line.includes('directory could not be asked'));
    await change({ ...directorySettings(server), kind: undefined, user_filter: '(mail={email})' });
    expect(status).toBe(503);
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ failure });
  });

  /** Whoever changes the address gives the password for it. */
  function elsewhere(host: string): object {
    return { url: server.tlsUrl.replace('localhost', host), bind_password: 'adminpw' };
  }

  async function change(patch: object): Promise<void> {
    const answer = await platform.request('PATCH', `/v1/admin/identity-providers/${id}`, { token, body: patch });
    expect(answer).toMatchObject({ status: 200 });
  }
});

async function setUp(): Promise<{ server: DirectoryServer; platform: Platform; token: string; id: string }> {
  const [server, platform] = await Promise.all([DirectoryServer.start(), startPlatform()]);
  const { access_token: token } = await platform.login();
  const id = await addDirectory(platform, token, directorySettings(server));
  return { server, platform, token, id };
}
