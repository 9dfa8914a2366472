import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addStaffedTenant, addTenant, defaultTenantId } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('tenants', () => {
  const platform = usePlatform();
  let own: StaffedTenant;
  let otherId: string;
  let sysadmin: string;

  beforeAll(async () => {
    own = await addStaffedTenant(platform, { plan: 'free', allowedPlans: ['team'] });
    otherId = await defaultTenantId(platform);
    sysadmin = (await platform.login()).access_token;
  });

  it('are shown to their administrators', async () => {
    const { status, body } = await get(otherId, sysadmin);

    expect(status).toBe(200);
    expect(body).toEqual({
      id: otherId,
      name: 'Default',
      plan: 'enterprise',
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await get(own.id, own.admin.token)).body.id).toBe(own.id);
  });

  it("are nobody else's business", async () => {
    for (const call of [get, (id: string, token?: string) => patch(id, { name: 'Mine' }, token)]) {
      expect((await call(own.id)).status).toBe(401);
      expect((await call(own.id, own.user.token)).status).toBe(403);
      expect((await call(otherId, own.admin.token)).status).toBe(404);
    }
  });

  it("are 404 alike, whether another's, unknown or no id at all", async () => {
    const unknownId = 'ten_01h455vb4pex5vsknk084sn02q';
    const answers = await Promise.all(
      [otherId, unknownId, 'x', 'usr_01h455vb4pex5vsknk084sn02q', '%00', `ten_${'z'.repeat(26)}`].map((id) =>
        get(id, own.admin.token),
      ),
    );

    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.body.error).toMatchObject({ type: 'not_found_error', code: 'not_found' });
    expect((await get(unknownId, sysadmin)).body).toEqual(answers[0]?.body);
  });

  it('keep what a patch leaves out', async () => {
    const { body: before } = await get(own.id, own.admin.token);

    const { status, body } = await patch(own.id, { name: '  Renamed  ' }, own.admin.token);

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect((await get(own.id, own.admin.token)).body).toEqual(body);
  });

  it.each([{}, { unknown: 1 }, undefined])('do not change by the patch %j', async (body) => {
    const { body: before } = await get(own.id, own.admin.token);

    const answer = await patch(own.id, body, own.admin.token);

    expect([answer.status, answer.body]).toEqual([200, before]);
  });

  it('let their administrators choose among the allowed plans', async () => {
    const { id, admin } = await addStaffedTenant(platform, { plan: 'free', allowedPlans: ['team'] });

    const answers = [
      await patch(id, { plan: 'free' }, admin.token),
      await patch(id, { plan: 'enterprise', name: 'Not this either' }, admin.token),
      await patch(id, { plan: 'team' }, admin.token),
      await patch(id, { plan: 'free' }, admin.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
    expect(answers[1]?.body.error).toMatchObject({ type: 'permission_error', code: 'forbidden' });
    expect((await get(id, admin.token)).body).toMatchObject({ plan: 'team', name: 'Other' });
  });

  it('let a sysadmin choose any plan', async () => {
    const id = await addTenant(platform);

    const { status, body } = await patch(id, { plan: 'enterprise' }, sysadmin);

    expect([status, body.plan]).toEqual([200, 'enterprise']);
  });

  it.each([
    ['name', null],
    ['plan', null],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(201)],
    ['name', 'a\0b'],
    ['name', '\ud800'],
    ['name', 7],
    ['name', ['x']],
    ['plan', 'platinum'],
    ['plan', 'FREE'],
    ['plan', 1],
  ])('refuse the %s %j and name the field', async (field, value) => {
    const { status, body } = await patch(own.id, { [field]: value }, own.admin.token);

    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'bad_request', param: field });
    expect(body.error.message).toContain(field);
  });

  it('take a name of 200 characters, whatever they are', async () => {
    const name = '😀'.repeat(200);

    const { status, body } = await patch(own.id, { name }, own.admin.token);

    expect([status, body.name]).toEqual([200, name]);
  });

  it('follow the same rules over GraphQL', async () => {
    const mutation =
      'mutation ($id: ID!, $patch: UpdateTenantInput!) { updateTenant(id: $id, patch: $patch) { name plan } }';
    const run = (id: string, change: object, token?: string) =>
      platform.graphql(mutation, { id, patch: change }, token);
    const statusOf = async (answer: ReturnType<typeof run>) => (await answer).body.errors?.[0].extensions.status;

    expect((await run(own.id, { name: 'By GraphQL' }, own.admin.token)).body.data.updateTenant.name).toBe('By GraphQL');
    expect(await statusOf(run(own.id, { name: null }, own.admin.token))).toBe(400);
    expect(await statusOf(run(own.id, { plan: 'enterprise' }, own.admin.token))).toBe(403);
    expect(await statusOf(run(otherId, { name: 'x' }, own.admin.token))).toBe(404);
    expect(await statusOf(run(own.id, { name: 'x' }, own.user.token))).toBe(403);
    expect(await statusOf(run(own.id, { name: 'x' }))).toBe(401);
  });

  function path(id: string) {
    return `/v1/admin/tenants/${id}`;
  }

  function get(id: string, token?: string) {
    return platform.request('GET', path(id), { token });
  }

  function patch(id: string, body: unknown, token?: string) {
    return platform.request('PATCH', path(id), { token, body });
  }
});
