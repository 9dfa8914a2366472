import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import type { Client, RestAnswer } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the last sysadmin who signs in by a password', () => {
  const platform = usePlatform();
  let [last, other]: [SignedInUser, SignedInUser] = [] as never;
  let providerId: string;
  let sysadmin: Client;
  beforeAll(async () => {
    await arrange();
  });

  it.each([
    ['linked to an identity provider', () => link()],
    ['deleted with its tenant', () => sysadmin.delete(`/v1/admin/tenants/${last.tenantId}`)],
    ['shut out by a directory of its domain', () => addDirectory('own.test')],
    ['suspended', () => sysadmin.patch(`/v1/admin/users/${last.id}`, { status: 'suspended' })],
  ])('is not %s', async (_what, take) => {
    const { status, body } = await take();

    expect([status, body.error?.code]).toEqual([409, 'conflict']);
    expect(await sysadminsWithPassword()).toEqual([last.id]);
  });

  it('does not keep others from being changed', async () => {
    const directory = await addDirectory('elsewhere.test');
    const named = await sysadmin.patch(`/v1/admin/users/${last.id}`, { name: 'Last' });

    expect([directory.status, named.status]).toEqual([201, 200]);
  });

  /** Two sysadmins, one of whom signs in by an identity provider; the one that the start has made is gone. */
  async function arrange(): Promise<void> {
    const { user, access_token: token } = await platform.login();
    last = await addSysadmin('last@own.test', await addTenant(platform));
    other = await addSysadmin('other@company.test');
    sysadmin = platform.as(other.token);
    const settings = { kind: 'sso', name: 'SSO', tid: 'company', issuer: 'https://issuer.test', client_id: 'platform' };
    const body = { ...settings, tenant_id: last.tenantId };
    providerId = (await platform.as(token).post('/v1/admin/identity-providers', body)).body.id;
    const link = 'UPDATE users SET identity_provider_id = $1, external_id = id WHERE id = $2';
    await platform.query(link, [providerId, other.id]);
    await platform.query('DELETE FROM users WHERE id = $1', [user.id]);
  }

  function addSysadmin(email: string, tenantId?: string): Promise<SignedInUser> {
    return addSignedInUser(platform, tenantId, { email, privileges: ['user', 'admin', 'sysadmin'] });
  }

  function link(): Promise<RestAnswer> {
    return sysadmin.patch(`/v1/admin/users/${last.id}`, { identity_provider_id: providerId, external_id: 'oid' });
  }

  function addDirectory(domain: string): Promise<RestAnswer> {
    const body = { kind: 'ldap', name: 'People', domains: [domain], url: 'ldaps://127.0.0.1', base_dn: 'dc=test' };
    return sysadmin.post('/v1/admin/identity-providers', { ...body, tenant_id: other.tenantId });
  }

  async function sysadminsWithPassword(): Promise<string[]> {
    const rows = await platform.query<{ id: string }>(
      "SELECT id FROM users WHERE 'sysadmin' = ANY (privileges) AND identity_provider_id IS NULL AND status = 'active'",
    );
    return rows.map(({ id }) => id);
  }
});
