import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { Unauthorized } from '../../../src/errors.js';
import { RevocationsService } from '../../../src/identity/sessions/revocations.service.js';
import { Accounts } from '../../../src/identity/users/accounts.js';
import { ExternalPeople } from '../../../src/identity/users/external-people.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { addStaffedTenant, addUser } from '../../support/builders/accounts.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';

const LDAP = { kind: 'ldap', name: 'People', url: 'ldaps://directory.test', base_dn: 'dc=people,dc=test' };
const SSO = { kind: 'sso', name: 'SSO', issuer: 'https://issuer.test', client_id: 'platform' };
const PATH = '/v1/admin/identity-providers';

describe('identity providers', () => {
  const platform = usePlatform();
  const tenant = useTenant(platform);
  let [sysadmin, admin]: [Client, Client] = [] as never;

  beforeAll(async () => {
    sysadmin = platform.as((await platform.login()).access_token);
    admin = platform.as(tenant.admin.token);
  });

  it('are set up, read, changed and deleted, and show no secret', async () => {
    const secrets = { bind_dn: 'cn=reader', bind_password: 'hunter22hunter22' };

    const made = await sysadmin.post(PATH, { ...LDAP, ...secrets, domains: ['Crud.test', 'crud.test'] });
    const read = await sysadmin.get(`${PATH}/${made.body.id}`);
    const changed = await sysadmin.patch(`${PATH}/${made.body.id}`, {
      name: 'Staff',
      bind_dn: null,
      bind_password: null,
    });
    const deleted = await sysadmin.delete(`${PATH}/${made.body.id}`);
    const gone = await sysadmin.get(`${PATH}/${made.body.id}`);

    expect(made).toMatchObject({
      status: 201,
      body: { object: 'identity_provider', kind: 'ldap', status: 'active', domains: ['crud.test'], tid: null },
    });
    expect(made.headers.get('location')).toBe(`/v1/admin/identity-providers/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    expect(read.body).toMatchObject({ has_bind_password: true, user_filter: '(mail={email})', group_map: [] });
    expect(changed.body).toMatchObject({ name: 'Staff', has_bind_password: false, bind_dn: null, url: LDAP.url });
    expect([deleted.status, gone.status]).toEqual([204, 404]);
    expect(JSON.stringify([made, read, changed]) + platform.logLines.join()).not.toContain(secrets.bind_password);
    expect(JSON.stringify(await platform.query('SELECT * FROM identity_providers'))).not.toContain('hunter22');
  });

  it('of a tenant’s administrator wait for a sysadmin, again after every change but that of the name', async () => {
    const made = await admin.post(PATH, { ...LDAP, domains: ['wait.test'] });
    const id = made.body.id;
    const tried = await admin.patch(`${PATH}/${id}`, { status: 'active' });
    const refused = await admin.post(`${PATH}/${id}/approve`);
    const approved = await sysadmin.post(`${PATH}/${id}/approve`);
    const renamed = await admin.patch(`${PATH}/${id}`, { name: 'Staff' });
    const moved = await admin.patch(`${PATH}/${id}`, { base_dn: 'dc=other' });
    const bySysadmin = await sysadmin.patch(`${PATH}/${id}`, { status: 'active', base_dn: 'dc=people' });
    const disabled = await admin.patch(`${PATH}/${id}`, { status: 'disabled' });

    expect(made.body).toMatchObject({ status: 'pending', tenant_id: tenant.id });
    expect(tried.body.status).toBe('pending');
    expect(refused.status).toBe(403);
    expect([approved, renamed, moved, bySysadmin, disabled].map(({ body }) => body.status)).toEqual([
      'active',
      'active',
      'pending',
      'active',
      'disabled',
    ]);
  });

  it('end the sessions of their people when they are disabled, or changed by a tenant’s administrator', async () => {
    const made = await admin.post(PATH, { ...SSO, tid: 'sessions' });
    await sysadmin.post(`${PATH}/${made.body.id}/approve`);
    const person = { identityProviderId: made.body.id, externalId: 'oid', userVersion: 1 };
    const { id } = await addUser(platform, tenant.id, person);

    await admin.patch(`${PATH}/${made.body.id}`, { issuer: 'https://elsewhere.test' });

    expect(await platform.query('SELECT user_version FROM users WHERE id = $1', [id])).toEqual([{ user_version: 2 }]);
  });

  it('have domains and a tid that belong to nobody else', async () => {
    const other = await addStaffedTenant(platform);
    await addUser(platform, other.id, { email: 'ann@inhabited.test' });
    await sysadmin.put(`/v1/admin/tenants/${other.id}/settings`, { allowed_domains: ['listed.test'] });
    await sysadmin.post(PATH, { ...SSO, tid: 'taken', domains: ['taken.test'] });

    const answers = await Promise.all([
      admin.post(PATH, { ...LDAP, domains: ['taken.test'] }),
      admin.post(PATH, { ...LDAP, domains: ['inhabited.test'] }),
      admin.post(PATH, { ...LDAP, domains: ['listed.test'] }),
      admin.post(PATH, { ...SSO, tid: 'taken' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('that wait for a sysadmin keep nothing from others', async () => {
    const claims = { ...SSO, tid: 'claimed', domains: ['claimed.test'] };
    const pending = await admin.post(PATH, claims);

    const rightful = await sysadmin.post(PATH, claims);
    const late = await sysadmin.post(`${PATH}/${pending.body.id}/approve`);

    expect([pending.status, rightful.status, late.status]).toEqual([201, 201, 409]);
  });

  it('are approved as they were looked at, and stay disabled where a sysadmin has done that', async () => {
    const made = await admin.post(PATH, { ...LDAP, domains: ['looked.test'] });
    const id = made.body.id;
    await admin.patch(`${PATH}/${id}`, { group_map: [{ group: 'everybody', privilege: 'admin' }] });

    const stale = await sysadmin.post(`${PATH}/${id}/approve`, { revision: made.body.revision });
    const seen = await sysadmin.post(`${PATH}/${id}/approve`, { revision: made.body.revision + 1 });
    await sysadmin.patch(`${PATH}/${id}`, { status: 'disabled' });
    const enabled = await admin.patch(`${PATH}/${id}`, { status: 'active' });

    expect([stale.status, seen.body.status, enabled.body.status]).toEqual([409, 'active', 'pending']);
  });

  it('are not asked another question with a password that whoever changes it does not know', async () => {
    const made = await sysadmin.post(PATH, { ...LDAP, bind_dn: 'cn=reader', bind_password: 'x', tenant_id: tenant.id });

    const blind = await admin.patch(`${PATH}/${made.body.id}`, { sync_filter: '(employeeNumber=41*)' });
    const known = await admin.patch(`${PATH}/${made.body.id}`, { sync_filter: '(mail=*)', bind_password: 'x' });

    expect(blind).toMatchObject({ status: 400, body: { error: { param: 'bind_password' } } });
    expect(known.status).toBe(200);
  });

  it('sign nobody in who began before they were disabled', async () => {
    const made = await sysadmin.post(PATH, { ...SSO, tid: 'in-flight' });
    const { body } = await sysadmin.patch(`${PATH}/${made.body.id}`, { status: 'disabled' });
    const { dataSource } = platform.app.database;
    const secretBox = await openSecretBox(platform.config, dataSource, []);
    const audit = new AuditRecorder(dataSource, secretBox);
    const accounts = new Accounts(dataSource, new RevocationsService(dataSource), audit);
    const provider = { id: made.body.id, tenantId: made.body.tenant_id, revision: body.revision };
    const person = { externalId: 'somebody', email: 'somebody@in-flight.test', username: 'Somebody' };

    const signIn = new ExternalPeople(accounts, secretBox, silentLog).signIn(provider, person);

    await expect(signIn).rejects.toThrow(Unauthorized);
    expect(await platform.query('SELECT FROM users WHERE external_id = $1', ['somebody'])).toEqual([]);
  });

  it.each([
    ['name', { ...LDAP, name: '\ud800' }],
    ['url', { ...LDAP, url: 'ldap://directory.test' }],
    ['url', { ...LDAP, url: 'http://directory.test' }],
    ['url', { ...LDAP, url: 'ldaps://user:secret@directory.test' }],
    ['url', { ...LDAP, url: 'ldaps://directory.test:22' }],
    ['url', { ...LDAP, url: 'ldaps://directory.test/dc=people' }],
    ['start_tls', { ...LDAP, start_tls: true }],
    ['base_dn', { kind: 'ldap', name: 'People', url: 'ldaps://directory.test' }],
    ['user_filter', { ...LDAP, user_filter: '(mail=*)' }],
    ['bind_password', { ...LDAP, bind_dn: 'cn=reader' }],
    ['bind_password', { ...LDAP, bind_dn: 'cn=reader', bind_password: '\0secret' }],
    ['ca', { ...LDAP, ca: 'nonsense' }],
    ['group_map[0].privilege', { ...LDAP, group_map: [{ group: 'cn=admins', privilege: 'sysadmin' }] }],
    ['domains[0]', { ...LDAP, domains: ['no domain'] }],
    ['issuer', { kind: 'sso', name: 'SSO', tid: 'x' }],
    ['tid', SSO],
    ['issuer', { ...SSO, tid: 'x', issuer: 'http://issuer.test' }],
    ['audience', { kind: 'sso', name: 'SSO', tid: 'x', issuer: 'https://issuer.test' }],
    ['proxy_secret', { ...SSO, tid: 'x', proxy_secret: 'short' }],
    ['kind', { ...SSO, kind: 'saml' }],
  ])('are refused for their %s: %j', async (param, body) => {
    const answer = await sysadmin.post(PATH, body);

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', param } } });
  });

  it('keep a secret for the server alone that it was given for', async () => {
    const made = await sysadmin.post(PATH, { ...LDAP, bind_dn: 'cn=reader', bind_password: 'hunter22hunter22' });

    const moved = await sysadmin.patch(`${PATH}/${made.body.id}`, { url: 'ldaps://elsewhere.test' });
    const given = await sysadmin.patch(`${PATH}/${made.body.id}`, {
      url: 'ldaps://elsewhere.test',
      bind_password: 'another',
    });

    expect(moved).toMatchObject({ status: 400, body: { error: { param: 'bind_password' } } });
    expect(given.status).toBe(200);
  });

  it('are none of the business of another tenant', async () => {
    const { body } = await sysadmin.post(PATH, { ...SSO, tid: 'foreign' });

    const answers = [
      await admin.get(`${PATH}/${body.id}`),
      await admin.patch(`${PATH}/${body.id}`, { name: 'Mine' }),
      await admin.delete(`${PATH}/${body.id}`),
      await admin.post(`${PATH}/${body.id}/test`),
      await admin.get(`${PATH}/nonsense`),
    ];
    const list = await admin.get(`${PATH}?limit=100`);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(list.body.data.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  });
});
