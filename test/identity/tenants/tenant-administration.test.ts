import { beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';

describe('tenants', () => {
  const platform = usePlatform();
  const tenant = useTenant(platform);
  let sysadmin: string;

  beforeAll(async () => {
    sysadmin = (await platform.login()).access_token;
  });

  it('are made, listed and deleted by sysadmins', async () => {
    const made = await call('POST', '', { name: ' Acme ', plan: 'team' });
    const listed = await call('GET', '?limit=1');
    const deleted = await call('DELETE', `/${made.body.id}`);
    const gone = [await call('GET', `/${made.body.id}`), await call('DELETE', `/${made.body.id}`)];
    const left = await call('GET', '');

    expect(made).toMatchObject({ status: 201, body: { name: 'Acme', plan: 'team', created_at: expect.any(String) } });
    expect(made.headers.get('location')).toBe(`/v1/admin/tenants/${made.body.id}`);
    expect(listed.body).toMatchObject({ data: [{ id: made.body.id }], has_more: true });
    expect([deleted.status, ...gone.map(({ status }) => status)]).toEqual([204, 404, 404]);
    expect(left.body.data.map(({ id }: { id: string }) => id)).not.toContain(made.body.id);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{}, 'name'],
    [{ name: 'Acme', plan: 'gold' }, 'plan'],
  ])('are not made of %j', async (body, param) => {
    const answer = await call('POST', '', body);

    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/{id}'],
  ])('are not for their administrators: %s %s', async (method, path) => {
    const answer = await call(method, path.replace('{id}', tenant.id), { name: 'Acme' }, tenant.admin.token);

    expect(answer.status).toBe(403);
  });

  it('have settings, which sysadmins replace as a whole', async () => {
    const before = await settings('GET', tenant.id);
    const set = await settings('PUT', tenant.id, {
      allowed_domains: ['b.test', 'A.test', 'a.test'],
      allowed_plans: ['team'],
    });
    const narrower = await settings('PUT', tenant.id, {});

    expect(before.body).toMatchObject({
      tenant_id: tenant.id,
      allowed_domains: [],
      registration_open: null,
      allowed_plans: [],
    });
    expect(set.body).toMatchObject({ allowed_domains: ['a.test', 'b.test'], allowed_plans: ['team'] });
    expect(narrower.body).toMatchObject({ allowed_domains: [], allowed_plans: [] });
  });

  it('have settings that their administrators may only narrow', async () => {
    const wide = { allowed_domains: ['c.test', 'd.test'], allowed_plans: ['team'], registration_open: true };
    await settings('PUT', tenant.id, wide);
    const { token } = tenant.admin;

    const wider = [
      await settings('PUT', tenant.id, { ...wide, allowed_domains: ['c.test', 'd.test', 'e.test'] }, token),
      await settings('PUT', tenant.id, { ...wide, allowed_plans: ['team', 'enterprise'] }, token),
      await settings('PUT', tenant.id, { ...wide, registration_open: null }, token),
    ];
    const narrower = await settings('PUT', tenant.id, { allowed_domains: ['c.test'], registration_open: false }, token);
    const opened = await settings('PUT', tenant.id, { registration_open: true }, token);

    expect(wider.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(narrower.body).toMatchObject({ allowed_domains: ['c.test'], registration_open: false, allowed_plans: [] });
    expect(opened.status).toBe(403);
  });

  it('list a domain once in the installation', async () => {
    const other = await addStaffedTenant(platform);
    await settings('PUT', other.id, { allowed_domains: ['once.test'] });

    const answer = await settings('PUT', tenant.id, { allowed_domains: ['once.test'] });

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict', param: 'allowed_domains' } } });
  });

  it.each([['nonsense'], ['a..test'], ['ä.test'], ['@a.test'], ['-a.test']])('list no %s', async (domain) => {
    const answer = await settings('PUT', tenant.id, { allowed_domains: [domain] });

    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'allowed_domains' } } });
  });

  it('have settings that are nobody else’s', async () => {
    const other = await addStaffedTenant(platform);

    const answers = [
      await settings('GET', other.id, undefined, tenant.admin.token),
      await settings('PUT', other.id, {}, tenant.admin.token),
      await settings('GET', tenant.id, undefined, tenant.user.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403]);
  });

  function call(method: string, path: string, body?: object, token = sysadmin): Promise<RestAnswer> {
    return platform.request(method, `/v1/admin/tenants${path}`, { token, body: method === 'GET' ? undefined : body });
  }

  function settings(method: string, id: string, body?: object, token = sysadmin): Promise<RestAnswer> {
    return call(method, `/${id}/settings`, body, token);
  }
});
