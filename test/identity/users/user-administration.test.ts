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

const NEXT = 'twelve copper spoons in a row';

describe('users', () => {
  let mailed: MailedPlatform;
  let admin: SignedInUser;
  let other: StaffedTenant;

  beforeAll(async () => {
    mailed = await MailedPlatform.start();
    admin = await addSignedInAdmin(mailed.platform);
    other = await addStaffedTenant(mailed.platform);
  });
  afterAll(() => mailed.close());

  it('are listed by their administrators, each those of its tenant', async () => {
    const ofAdmin = await call('GET', '?limit=100', { token: admin.token });
    const ofOther = await call('GET', '?limit=100', { token: other.admin.token });
    const ofAll = await call('GET', '?limit=100');
    const ofUser = await call('GET', '', { token: other.user.token });

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
      const { body } = await call('GET', query, { token });
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
    const first = await call('GET', '?limit=2&order=asc');
    const second = await call('GET', `?limit=2&order=asc&after=${first.body.next_cursor}`);

    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(4);
  });

  it('are invited, and choose their password by the mailed link', async () => {
    const email = 'ida@invited.test';

    const invited = await call('POST', '', { token: admin.token, body: { email, name: 'Ida', privileges: ['admin'] } });
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
    await call('POST', '', { body: { email, name: 'Jon', privileges: ['sysadmin'] } });

    const body = { email, name: 'Mallory', password: NEXT };
    const answer = await mailed.platform.request('POST', '/v1/auth/register', { body });

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'duplicate' } } });
  });

  it('are not invited where their domain is another tenant’s, whose registrations stay', async () => {
    const { platform, sysadmin, mails } = mailed;
    const settings = { allowed_domains: ['theirs.test'] };
    await platform.request('PUT', `/v1/admin/tenants/${other.id}/settings`, { token: sysadmin, body: settings });
    const email = 'ceo@theirs.test';
    const registration = { email, password: NEXT, name: 'Theirs' };
    await platform.request('POST', '/v1/auth/register', { body: registration });
    const code = codeOf(await mails.next(email));

    const invited = await call('POST', '', { token: admin.token, body: { email, name: 'Mine' } });
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

    const answer = await call('POST', '', { token: admin.token, body });

    expect(answer.status).toBe(status);
  });

  it('who are suspended are signed out at once, and may come back', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const pat = await addApiToken(mailed.platform, ann.token);

    const suspended = await patch(ann.id, { status: 'suspended' }, admin.token);
    const refused = [await whoAmI(mailed.platform, ann.token), await whoAmI(mailed.platform, pat.token)];
    const login = await mailed.platform.request('POST', '/v1/auth/login', {
      body: { email: ann.email, password: 'x' },
    });
    await patch(ann.id, { status: 'active' }, admin.token);
    const back = await whoAmI(mailed.platform, pat.token);

    expect(suspended).toMatchObject({ status: 200, body: { status: 'suspended', userVersion: 2 } });
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect([login.status, back.status]).toEqual([401, 200]);
  });

  it('get another name without being signed out', async () => {
    const ann = await addSignedInUser(mailed.platform);

    const renamed = await patch(ann.id, { name: ' Ann B. ' }, admin.token);

    expect(renamed.body).toMatchObject({ username: 'Ann B.', userVersion: 1 });
    expect((await whoAmI(mailed.platform, ann.token)).body.username).toBe('Ann B.');
  });

  it('get and lose privileges, which end their sessions', async () => {
    const ann = await addSignedInUser(mailed.platform);

    const raised = await patch(ann.id, { privileges: ['admin'] }, admin.token);
    const before = await whoAmI(mailed.platform, ann.token);
    const { access_token: token } = await signIn(mailed.platform, ann.email);
    await patch(ann.id, { privileges: [] }, admin.token);
    const after = await call('GET', '', { token });

    expect(raised.body.privileges).toEqual(['user', 'admin']);
    expect([before.status, after.status]).toEqual([401, 401]);
  });

  it('are signed out everywhere', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const pat = await addApiToken(mailed.platform, ann.token);

    const answer = await call('DELETE', `/${ann.id}/sessions`, { token: admin.token });

    expect(answer.status).toBe(204);
    expect((await whoAmI(mailed.platform, ann.token)).status).toBe(401);
    expect((await whoAmI(mailed.platform, pat.token)).status).toBe(200);
  });

  it('are none of the business of another tenant', async () => {
    const answers = [
      await call('GET', `/${admin.id}`, { token: other.admin.token }),
      await patch(admin.id, { name: 'Mine' }, other.admin.token),
      await call('DELETE', `/${admin.id}/sessions`, { token: other.admin.token }),
      await patch('usr_01h45ytscbebyvny4gc8cr8ma2', { name: 'Mine' }, other.admin.token),
      await patch('nonsense', { name: 'Mine' }, other.admin.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('who have more than the administrator are not changed by it', async () => {
    const { user } = await mailed.platform.login();

    const answers = [
      await patch(user.id, { status: 'suspended' }, admin.token),
      await patch(user.id, { name: 'Mine' }, admin.token),
      await call('DELETE', `/${user.id}/sessions`, { token: admin.token }),
      await patch(admin.id, { privileges: ['sysadmin'] }, admin.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await whoAmI(mailed.platform, mailed.sysadmin)).status).toBe(200);
  });

  it('keep a sysadmin', async () => {
    const { user } = await mailed.platform.login();

    const answers = [
      await patch(user.id, { status: 'disabled' }, mailed.sysadmin),
      await patch(user.id, { privileges: ['admin'] }, mailed.sysadmin),
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
    const answer = await patch(admin.id, body, mailed.sysadmin);

    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it('are linked to identity providers by sysadmins, and have no password then', async () => {
    const ann = await addSignedInUser(mailed.platform);
    const provider = await mailed.platform.request('POST', '/v1/admin/identity-providers', {
      token: mailed.sysadmin,
      body: { kind: 'sso', name: 'SSO', tid: 'company', issuer: 'https://issuer.test', client_id: 'platform' },
    });
    const link = { identity_provider_id: provider.body.id, external_id: 'oid-1' };

    const refused = await patch(ann.id, link, admin.token);
    const linked = await patch(ann.id, link, mailed.sysadmin);
    const twice = await patch(admin.id, link, mailed.sysadmin);
    const login = await mailed.platform.request('POST', '/v1/auth/login', {
      body: { email: ann.email, password: NEXT },
    });
    const remove = await mailed.platform.request('DELETE', `/v1/admin/identity-providers/${provider.body.id}`, {
      token: mailed.sysadmin,
    });

    expect([refused.status, linked.status, twice.status, login.status, remove.status]).toEqual([
      403, 200, 409, 401, 409,
    ]);
    expect(linked.body).toMatchObject(link);
    expect((await whoAmI(mailed.platform, ann.token)).status).toBe(401);
  });

  function call(
    method: string,
    rest: string,
    { token = mailed.sysadmin, body }: { token?: string; body?: unknown } = {},
  ): Promise<RestAnswer> {
    return mailed.platform.request(method, `/v1/admin/users${rest}`, { token, body });
  }

  function patch(id: string, body: object, token: string): Promise<RestAnswer> {
    return call('PATCH', `/${id}`, { token, body });
  }
});

function tenantsOf({ body }: RestAnswer): string[] {
  return [...new Set<string>(body.data.map((user: { tenant_id: string }) => user.tenant_id))];
}
