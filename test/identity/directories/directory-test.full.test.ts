import { afterAll, beforeAll, expect } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import { addDirectory, directorySettings, GROUP_SETTINGS } from '../../support/builders/directories.js';
import { DirectoryServer } from '../../support/servers/directory-server.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onSlapd } from '../../support/servers/services.js';

onSlapd.describe('a try of a directory', () => {
  const { it } = onSlapd;
  let server: DirectoryServer;
  let platform: Platform;
  let token: string;
  let path: string;
  beforeAll(async () => ({ server, platform, token, path } = await setUp()));
  afterAll(() => Promise.all([platform.close(), server.close()]));

  it('tells what was found', async () => {
    const { body } = await platform.as(token).post(`${path}/test`);

    const message = expect.stringMatching(
      /^The directory answers, and a person was found below base_dn\..* in [12] groups\.$/,
    );
    expect(body).toEqual({ success: true, message });
  });

  it.each([
    [{ bind_password: 'wrong' }, 'The directory refuses bind_dn with its password (code 49).'],
    [{ ca: null }, /^TLS cannot be agreed on: the certificate is not trusted, or there is none\. \(\w+\)$/],
    [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, /^TLS cannot be agreed on/],
    [{ sync_filter: '(uid=nobody)' }, /nobody below base_dn fits sync_filter/],
    [{ sync_filter: '(uid=' }, 'A filter is not valid (RFC 4515).'],
    [{ base_dn: 'ou=nowhere,dc=example,dc=test' }, 'The directory refuses a search with the code 32.'],
    [{ id_attribute: 'objectGUID' }, 'A person was found, but without objectGUID.'],
    [{ domains: ['elsewhere.test'] }, /mail is no address in the domains of the provider/],
    [{ url: 'ldaps://localhost:1024', bind_password: 'adminpw' }, 'The directory cannot be reached. (ECONNREFUSED)'],
  ])('tells what is wrong with %j', async (patch, message) => {
    await platform.as(token).patch(path, patch);

    const { status, body } = await platform.as(token).post(`${path}/test`);

    const defaults = { sync_filter: '(mail=*)', id_attribute: 'entryUUID', kind: undefined };
    await platform.as(token).patch(path, { ...directorySettings(server), ...defaults });
    expect({ status, success: body.success }).toEqual({ status: 200, success: false });
    expect(body.message).toMatch(message);
  });

  it('tells the administrator of a tenant the same of every address that is not public', async () => {
    const stranger = { email: 'admin@foreign.test', privileges: ['user' as const, 'admin' as const] };
    const admin = await addSignedInUser(platform, await addTenant(platform), stranger);
    const urls = [server.tlsUrl, 'ldaps://127.0.0.1:1024', 'ldaps://10.0.0.1', 'ldaps://[::ffff:127.0.0.1]:1024'];
    const others = ['ldaps://169.254.169.254', 'ldaps://localhost.', 'ldaps://8.8.8.8:6379', 'ldaps://nothing.invalid'];

    const messages: unknown[] = [];
    for (const url of [...urls, ...others]) {
      const id = await addDirectory(platform, admin.token, { ...directorySettings(server), domains: [], url });
      const { body } = await platform.as(admin.token).post(`/v1/admin/identity-providers/${id}/test`);
      messages.push(body.message);
    }

    expect(new Set(messages)).toEqual(
      new Set([expect.stringMatching(/not public and a sysadmin has not approved it/)]),
    );
  });
});

async function setUp(): Promise<{ server: DirectoryServer; platform: Platform; token: string; path: string }> {
  const [server, platform] = await Promise.all([DirectoryServer.start(), startPlatform()]);
  const { access_token: token } = await platform.login();
  const id = await addDirectory(platform, token, { ...directorySettings(server), ...GROUP_SETTINGS });
  return { server, platform, token, path: `/v1/admin/identity-providers/${id}` };
}
