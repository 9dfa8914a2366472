import { beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';

const TENANTS = '/v1/admin/tenants';
const settingsOf = (id: string) => `${TENANTS}/${id}/settings`;

describe('tenants', () => {
  const platform = usePlatform();
  const tenant = useTenant(platform);
  let [sysadmin, admin]: [Client, Client] = [] as never;

  beforeAll(async () => {
    sysadmin = platform.as((await platform.login()).access_token);
    admin = platform.as(tenant.admin.token);
  });

  it('are made, listed and deleted by sysadmins', async () => {
    const made = await sysadmin.post(TENANTS, { name: ' Acme ', plan: 'team' });
    const listed = await sysadmin.get(`${TENANTS}?limit=1`);
    const deleted = await sysadmin.delete(`${TENANTS}/${made.body.id}`);
    const gone = [
      await sysadmin.get(`${TENANTS}/${made.body.id}`),
      await sysadmin.delete(`${TENANTS}/${made.body.id}`),
    ];
    const left = await sysadmin.get(TENANTS);

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
    const answer = await sysadmin.post(TENANTS, body);

    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/{id}'],
  ])('are not for their administrators: %s %s', async (method, path) => {
    const body = method === 'GET' ? undefined : { name: 'Acme' };
    const answer = await admin.request(method, TENANTS + path.replace('{id}', tenant.id), { body });

    expect(answer.status).toBe(403);
  });

  it('have settings, which sysadmins replace as a whole', async () => {
    const before = await sysadmin.get(settingsOf(tenant.id));
    const set = await sysadmin.put(settingsOf(tenant.id), {
      allowed_domains: ['b.test', 'A.test', 'a.test'],
      allowed_plans: ['team'],
    });
    const narrower = await sysadmin.put(settingsOf(tenant.id), {});

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
    await sysadmin.put(settingsOf(tenant.id), wide);

    const wider = [
      await admin.put(settingsOf(tenant.id), { ...wide, allowed_domains: ['c.test', 'd.test', 'e.test'] }),
      await admin.put(settingsOf(tenant.id), { ...wide, allowed_plans: ['team', 'enterprise'] }),
      await admin.put(settingsOf(tenant.id), { ...wide, registration_open: null }),
    ];
    const narrower = await admin.put(settingsOf(tenant.id), { allowed_domains: ['c.test'], registration_open: false });
    const opened = await admin.put(settingsOf(tenant.id), { registration_open: true });

    expect(wider.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(narrower.body).toMatchObject({ allowed_domains: ['c.test'], registration_open: false, allowed_plans: [] });
    expect(opened.status).toBe(403);
  });

  it('list a domain once in the installation', async () => {
    const other = await addStaffedTenant(platform);
    await sysadmin.put(settingsOf(other.id), { allowed_domains: ['once.test'] });

    const answer = await sysadmin.put(settingsOf(tenant.id), { allowed_domains: ['once.test'] });

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict', param: 'allowed_domains' } } });
  });

  it.each([['nonsense'], ['a..test'], ['ä.test'], ['@a.test'], ['-a.test']])('list no %s', async (domain) => {
    const answer = await sysadmin.put(settingsOf(tenant.id), { allowed_domains: [domain] });

    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'allowed_domains' } } });
  });

  it('have settings that are nobody else’s', async () => {
    const other = await addStaffedTenant(platform);

    const answers = [
      await admin.get(settingsOf(other.id)),
      await admin.put(settingsOf(other.id), {}),
      await platform.as(tenant.user.token).get(settingsOf(tenant.id)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403]);
  });
});
