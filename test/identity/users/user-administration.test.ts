import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addApiToken,
  addSignedInAdmin,
  addSignedInUser,
  addStaffedTenant,
  addTenant,
  addUser,
  signIn,
  whoAmI,
} from '../../support/builders/accounts.js';
import type { SignedInUser, StaffedTenant } from '../../support/builders/accounts.js';
import { codeOf, tokenOf } from '../../support/servers/mail-server.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';
import type { RestAnswer } from '../../support/servers/platform.js';

const USERS = '/v1/admin/users';
const NEXT = 'twelve copper spoons in a row';

describe('users', () => {
  let mailed: MailedPlatform;
  let [admin, other]: [SignedInUser, StaffedTenant] = [] as never;
  const as = (token: string) => mailed.platform.as(token);

  beforeAll(async () => {
    mailed = await MailedPlatform.start();
    admin = await addSignedInAdmin(mailed.platform);
    other = await addStaffedTenant(mailed.platform);
  });
  afterAll(() => mailed.close());

  it('are listed by their administrators, each those of its tenant', async () => {
    const ofAdmin = await as(admin.token).get(`${USERS}?limit=100`);
    const ofOther = await as(other.admin.token).get(`${USERS}?limit=100`);
    const ofAll = await as(mailed.sysadmin).get(`${USERS}?limit=100`);
    const ofUser = await as(other.user.token).get(USERS);

    expect(tenantsOf(ofAdmin)).toEqual([admin.tenantId]);
    expect(tenantsOf(ofOther)).toEqual([other.id]);
    expect(tenantsOf(ofAll)).toEqual(expect.arrayContaining([admin.tenantId, other.id]));
    expect(ofUser.status).toBe(403);
    expect(ofOther.body.data.find(({ id }: { id: string }) => id === other.user.id)).toEqual({
      id: other.user.id,
      email: other.user.email,
      username: 'Test User',
      confirmed: true,
      created_at: expect.any(String),
      privileges: ['user'],
      groupMemberships: [],
      userVersion: 1,
      status: 'active',
      tenant_id: other.id,
      identity_provider_id: null,
      external_id: null,
    });
  });

  it('are found by the beginning of address or name, whatever the case, and by status', async () => {
    const tenantId = await addTenant(mailed.platform);
    const { token } = await addSignedInAdmin(mailed.platform, tenantId);
    await addUser(mailed.platform, tenantId, { email: 'zoe@people.test', username: 'Zoé Ångström' });
    await addUser(mailed.platform, tenantId, { email: 'x100%_sure@people.test', username: 'zo', status: 'suspended' });

    const names = async (query: string): Promise<string[]> => {
      const { body } = await as(token).get(`${USERS}${query}`);
      return body.data.map(({ email }: { email: string }) => email.split('@')[0]).sort();
    };

    expect(await names('?search=ZO')).toEqual(['x100%_sure', 'zoe']);
    expect(await names('?search=zOé%20Ån')).toEqual(['zoe']);
    expect(await names('?search=oe')).toEqual([]);
    expect(await names('?search=x100%25_')).toEqual(['x100%_sure']);
    expect(await names('?search=x100_')).toEqual([]);
    expect(await names('?search=zo&status=suspended')).toEqual(['x100%_sure']);
  });

  it('are read in pages', async () => {
    const first = await as(mailed.sysadmin).get(`${USERS}?limit=2&order=asc`);
    const second = await as(mailed.sysadmin).get(`${USERS}?limit=2&order=asc&after=${first.body.next_cursor}`);

    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(4);
  });

  it('are invited, and choose their password by the mailed link', async () => {
    const email = 'ida@invited.test';

    const invited = await as(admin.token).post(USERS, { email, name: 'Ida', privileges: ['admin'] });
    const early = await mailed.platform.request('POST', '/v1/auth/login', { body: { email, password: NEXT } });
    const token = tokenOf(await mailed.mails.next(email));
    const set = await mailed.platform.request('POST', '/v1/auth/password-reset', {
      body: { token, new_password: NEXT },
    });
    const { user } = await signIn(mailed.platform, email, NEXT);

    expect(invited).toMatchObject({
      status: 201,
      body: { email, username: 'Ida', confirmed: false, privileges: ['user', 'admin'], tenant_id: admin.tenantId },
    });
    expect(invited.headers.get('location')).toBe(`/v1/admin/users/${invited.body.id}`);
    expect([early.status, set.status]).toEqual([401, 200]);
    expect(user).toMatchObject({ id: invited.body.id, confirmed: true, privileges: ['user', 'admin'] });
  });

  it('who were invited cannot be taken over by a registration', async () => {
    const email = 'jon@invited.test';
    await as(mailed.sysadmin).post(USERS, { email, name: 'Jon', privileges: ['sysadmin'] });

    const body = { email, name: 'Mallory', password: NEXT };
    const answer = await mailed.platform.request('POST', '/v1/auth/register', { body });

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'duplicate' } } });
  });

  it('are not invited where their domain is another tenant’s, whose registrations stay', async () => {
    const { platform, sysadmin, mails } = mailed;
    const settings = { allowed_domains: ['theirs.test'] };
    await platform.as(sysadmin).put(`/v1/admin/tenants/${other.id}/settings`, settings);
    const email = 'ceo@theirs.test';
    const registration = { email, password: NEXT, name: 'Theirs' };
    await platform.request('POST', '/v1/auth/register', { body: registration });
    const code = codeOf(await mails.next(email));

    const invited = await as(admin.token).post(USERS, { email, name: 'Mine' });
    const confirmed = await platform.request('POST', '/v1/auth/confirm', { body: { email, code } });

    expect(invited).toMatchObject({ status: 409, body: { error: { code: 'conflict', param: 'email' } } });
    expect(confirmed.status).toBe(200);
  });

  it.each([
    [403, 'a privilege that the admin lacks', { privileges: ['sysadmin'] }],
    [400, 'an unknown privilege', { privileges: ['root'] }],
    [400, 'no address', { email: 'nobody' }],
    [409, 'an address that has an account', { email: 'admin@example.test' }],
  ])('are not invited: %i for %s', async (status, _what, members) => {
    const body = { email: 'kim@invited.test', name: 'Kim', ...members };

    const answer = await as(admin.token).post(USERS, body);

    expect(answer.status).toBe(status);
  });

  it('who are suspended are signed out at once, and may come back', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const pat = await addApiToken(mailed.platform, ann.token);

    const suspended = await as(admin.token).patch(`${USERS}/${ann.id}`, { status: 'suspended' });
    const refused = [await whoAmI(mailed.platform, ann.token), await whoAmI(mailed.platform, pat.token)];
    const login = await mailed.platform.request('POST', '/v1/auth/login', {
      body: { email: ann.email, password: 'x' },
    });
    await as(admin.token).patch(`${USERS}/${ann.id}`, { status: 'active' });
    const back = await whoAmI(mailed.platform, pat.token);

    expect(suspended).toMatchObject({ status: 200, body: { status: 'suspended', userVersion: 2 } });
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect([login.status, back.status]).toEqual([401, 200]);
  });

  it('get another name without being signed out', async () => {
    const ann = await addSignedInUser(mailed.platform);

    const renamed = await as(admin.token).patch(`${USERS}/${ann.id}`, { name: ' Ann B. ' });

    expect(renamed.body).toMatchObject({ username: 'Ann B.', userVersion: 1 });
    expect((await whoAmI(mailed.platform, ann.token)).body.username).toBe('Ann B.');
  });

  it('get and lose privileges, which end their sessions', async () => {
    const ann = await addSignedInUser(mailed.platform);

    const raised = await as(admin.token).patch(`${USERS}/${ann.id}`, { privileges: ['admin'] });
    const before = await whoAmI(mailed.platform, ann.token);
    const { access_token: token } = await signIn(mailed.platform, ann.email);
    await as(admin.token).patch(`${USERS}/${ann.id}`, { privileges: [] });
    const after = await as(token).get(USERS);

    expect(raised.body.privileges).toEqual(['user', 'admin']);
    expect([before.status, after.status]).toEqual([401, 401]);
  });

  it('are signed out everywhere', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const pat = await addApiToken(mailed.platform, ann.token);

    const answer = await as(admin.token).delete(`${USERS}/${ann.id}/sessions`);

    expect(answer.status).toBe(204);
    expect((await whoAmI(mailed.platform, ann.token)).status).toBe(401);
    expect((await whoAmI(mailed.platform, pat.token)).status).toBe(200);
  });

  it('are none of the business of another tenant', async () => {
    const answers = [
      await as(other.admin.token).get(`${USERS}/${admin.id}`),
      await as(other.admin.token).patch(`${USERS}/${admin.id}`, { name: 'Mine' }),
      await as(other.admin.token).delete(`${USERS}/${admin.id}/sessions`),
      await as(other.admin.token).patch(`${USERS}/usr_01h45ytscbebyvny4gc8cr8ma2`, { name: 'Mine' }),
      await as(other.admin.token).patch(`${USERS}/nonsense`, { name: 'Mine' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('who have more than the administrator are not changed by it', async () => {
    const { user } = await mailed.platform.login();

    const answers = [
      await as(admin.token).patch(`${USERS}/${user.id}`, { status: 'suspended' }),
      await as(admin.token).patch(`${USERS}/${user.id}`, { name: 'Mine' }),
      await as(admin.token).delete(`${USERS}/${user.id}/sessions`),
      await as(admin.token).patch(`${USERS}/${admin.id}`, { privileges: ['sysadmin'] }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await whoAmI(mailed.platform, mailed.sysadmin)).status).toBe(200);
  });

  it('keep a sysadmin', async () => {
    const { user } = await mailed.platform.login();

    const answers = [
      await as(mailed.sysadmin).patch(`${USERS}/${user.id}`, { status: 'disabled' }),
      await as(mailed.sysadmin).patch(`${USERS}/${user.id}`, { privileges: ['admin'] }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  });

  it.each([
    [{ name: null }, 'name'],
    [{ status: null }, 'status'],
    [{ privileges: null }, 'privileges'],
    [{ status: 'deleted' }, 'status'],
    [{ identity_provider_id: 'dir_01h45ytscbebyvny4gc8cr8ma2' }, 'external_id'],
    [{ identity_provider_id: 'dir_01h45ytscbebyvny4gc8cr8ma2', external_id: 'x' }, 'identity_provider_id'],
  ])('are not changed by %j', async (body, param) => {
    const answer = await as(mailed.sysadmin).patch(`${USERS}/${admin.id}`, body);

    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it('are linked to identity providers by sysadmins, and have no password then', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const provider = await as(mailed.sysadmin).post('/v1/admin/identity-providers', {
      kind: 'sso',
      name: 'SSO',
      tid: 'company',
      issuer: 'https://issuer.test',
      client_id: 'platform',
    });
    const link = { identity_provider_id: provider.body.id, external_id: 'oid-1' };

    const refused = await as(admin.token).patch(`${USERS}/${ann.id}`, link);
    const linked = await as(mailed.sysadmin).patch(`${USERS}/${ann.id}`, link);
    const twice = await as(mailed.sysadmin).patch(`${USERS}/${admin.id}`, link);
    const login = await mailed.platform.request('POST', '/v1/auth/login', {
      body: { email: ann.email, password: NEXT },
    });
    const remove = await as(mailed.sysadmin).delete(`/v1/admin/identity-providers/${provider.body.id}`);

    expect([refused.status, linked.status, twice.status, login.status, remove.status]).toEqual([
      403, 200, 409, 401, 409,
    ]);
    expect(linked.body).toMatchObject(link);
    expect((await whoAmI(mailed.platform, ann.token)).status).toBe(401);
  });
});

function tenantsOf({ body }: RestAnswer): string[] {
  return [...new Set<string>(body.data.map((user: { tenant_id: string }) => user.tenant_id))];
}
