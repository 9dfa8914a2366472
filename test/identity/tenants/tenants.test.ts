import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addStaffedTenant, addTenant, defaultTenantId } from '../../support/builders/accounts.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('tenants', () => {
  const platform = usePlatform();
  let own: StaffedTenant;
  let otherId: string;
  let [sysadmin, admin]: [Client, Client] = [] as never;

  beforeAll(async () => {
    own = await addStaffedTenant(platform, { plan: 'free', allowedPlans: ['team'] });
    otherId = await defaultTenantId(platform);
    sysadmin = platform.as((await platform.login()).access_token);
    admin = platform.as(own.admin.token);
  });

  it('are shown to their administrators', async () => {
    const { status, body } = await sysadmin.get(path(otherId));

    expect(status).toBe(200);
    expect(body).toEqual({
      id: otherId,
      name: 'Default',
      plan: 'enterprise',
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await admin.get(path(own.id))).body.id).toBe(own.id);
  });

  it("are nobody else's business", async () => {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }]] as const) {
      const call = (id: string, token?: string) => platform.request(method, path(id), { token, body });
      expect((await call(own.id)).status).toBe(401);
      expect((await call(own.id, own.user.token)).status).toBe(403);
      expect((await call(otherId, own.admin.token)).status).toBe(404);
    }
  });

  it("are 404 alike, whether another's, unknown or no id at all", async () => {
    const unknownId = 'ten_01h455vb4pex5vsknk084sn02q';
    const answers = await Promise.all(
      [otherId, unknownId, 'x', 'usr_01h455vb4pex5vsknk084sn02q', '%00', `ten_${'z'.repeat(26)}`].map((id) =>
        admin.get(path(id)),
      ),
    );

    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.body.error).toMatchObject({ type: 'not_found_error', code: 'not_found' });
    expect((await sysadmin.get(path(unknownId))).body).toEqual(answers[0]?.body);
  });

  it('keep what a patch leaves out', async () => {
    const { body: before } = await admin.get(path(own.id));

    const { status, body } = await admin.patch(path(own.id), { name: '  Renamed  ' });

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect((await admin.get(path(own.id))).body).toEqual(body);
  });

  it.each([{}, { unknown: 1 }, undefined])('do not change by the patch %j', async (body) => {
    const { body: before } = await admin.get(path(own.id));

    const answer = await admin.patch(path(own.id), body);

    expect([answer.status, answer.body]).toEqual([200, before]);
  });

  it('let their administrators choose among the allowed plans', async () => {
    const other = await addStaffedTenant(platform, { plan: 'free', allowedPlans: ['team'] });
    const chooser = platform.as(other.admin.token);

    const answers = [
      await chooser.patch(path(other.id), { plan: 'free' }),
      await chooser.patch(path(other.id), { plan: 'enterprise', name: 'Not this either' }),
      await chooser.patch(path(other.id), { plan: 'team' }),
      await chooser.patch(path(other.id), { plan: 'free' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
    expect(answers[1]?.body.error).toMatchObject({ type: 'permission_error', code: 'forbidden' });
    expect((await chooser.get(path(other.id))).body).toMatchObject({ plan: 'team', name: 'Other' });
  });

  it('let a sysadmin choose any plan', async () => {
    const id = await addTenant(platform);

    const { status, body } = await sysadmin.patch(path(id), { plan: 'enterprise' });

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
    const { status, body } = await admin.patch(path(own.id), { [field]: value });

    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'bad_request', param: field });
    expect(body.error.message).toContain(field);
  });

  it('take a name of 200 characters, whatever they are', async () => {
    const name = '😀'.repeat(200);

    const { status, body } = await admin.patch(path(own.id), { name });

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
});
