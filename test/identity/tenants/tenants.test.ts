import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { addTenant, addUser, defaultTenantId, signIn } from '../../support/accounts.js';

const FOREIGN_ID = 'ten_01h455vb4pex5vsknk084sn02q';

describe('tenants', () => {
  let platform: Platform;
  let ownId: string;
  let otherId: string;
  let tokens: { sysadmin: string; admin: string; user: string };

  beforeAll(async () => {
    platform = await startPlatform();
    otherId = await defaultTenantId(platform);
    ownId = await addTenant(platform, { plan: 'free', allowedPlans: ['team'] });
    const admin = await addUser(platform, ownId, { privileges: ['user', 'admin'] });
    const user = await addUser(platform, ownId);
    tokens = {
      sysadmin: (await platform.login()).access_token,
      admin: (await signIn(platform, admin.email)).access_token,
      user: (await signIn(platform, user.email)).access_token,
    };
  });
  afterAll(() => platform.close());

  it('are shown to their administrators', async () => {
    const { status, body } = await get(otherId, tokens.sysadmin);

    expect(status).toBe(200);
    expect(body).toEqual({
      id: otherId,
      name: 'Default',
      plan: 'enterprise',
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await get(ownId, tokens.admin)).body.id).toBe(ownId);
  });

  it("are nobody else's business", async () => {
    for (const call of [get, (id: string, token?: string) => patch(id, { name: 'Mine' }, token)]) {
      expect((await call(ownId)).status).toBe(401);
      expect((await call(ownId, tokens.user)).status).toBe(403);
      expect((await call(otherId, tokens.admin)).status).toBe(404);
    }
  });

  it("are 404 alike, whether another's, unknown or no id at all", async () => {
    const answers = await Promise.all(
      [otherId, FOREIGN_ID, 'x', 'usr_01h455vb4pex5vsknk084sn02q', '%00', `ten_${'z'.repeat(26)}`].map((id) =>
        get(id, tokens.admin),
      ),
    );

    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.body.error).toMatchObject({ type: 'not_found_error', code: 'not_found' });
    expect((await get(FOREIGN_ID, tokens.sysadmin)).body).toEqual(answers[0]?.body);
  });

  it('keep what a patch leaves out', async () => {
    const { body: before } = await get(ownId, tokens.admin);

    const { status, body } = await patch(ownId, { name: '  Renamed  ' }, tokens.admin);

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect((await get(ownId, tokens.admin)).body).toEqual(body);
  });

  it.each([{}, { unknown: 1 }, undefined])('do not change by the patch %j', async (body) => {
    const { body: before } = await get(ownId, tokens.admin);

    const answer = await patch(ownId, body, tokens.admin);

    expect([answer.status, answer.body]).toEqual([200, before]);
  });

  it('let their administrators choose among the allowed plans', async () => {
    const id = await addTenant(platform, { plan: 'free', allowedPlans: ['team'] });
    const admin = await addUser(platform, id, { privileges: ['user', 'admin'] });
    const { access_token } = await signIn(platform, admin.email);

    const answers = [
      await patch(id, { plan: 'free' }, access_token),
      await patch(id, { plan: 'enterprise', name: 'Not this either' }, access_token),
      await patch(id, { plan: 'team' }, access_token),
      await patch(id, { plan: 'free' }, access_token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
    expect(answers[1]?.body.error).toMatchObject({ type: 'permission_error', code: 'forbidden' });
    expect((await get(id, access_token)).body).toMatchObject({ plan: 'team', name: 'Other' });
  });

  it('let a sysadmin choose any plan', async () => {
    const id = await addTenant(platform);

    const { status, body } = await patch(id, { plan: 'enterprise' }, tokens.sysadmin);

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
    const { status, body } = await patch(ownId, { [field]: value }, tokens.admin);

    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'bad_request', param: field });
    expect(body.error.message).toContain(field);
  });

  it('take a name of 200 characters, whatever they are', async () => {
    const name = '😀'.repeat(200);

    const { status, body } = await patch(ownId, { name }, tokens.admin);

    expect([status, body.name]).toEqual([200, name]);
  });

  it('follow the same rules over GraphQL', async () => {
    const mutation =
      'mutation ($id: ID!, $patch: UpdateTenantInput!) { updateTenant(id: $id, patch: $patch) { name plan } }';
    const run = (id: string, change: object, token?: string) =>
      platform.graphql(mutation, { id, patch: change }, token);
    const statusOf = async (answer: ReturnType<typeof run>) => (await answer).body.errors?.[0].extensions.status;

    expect((await run(ownId, { name: 'By GraphQL' }, tokens.admin)).body.data.updateTenant.name).toBe('By GraphQL');
    expect(await statusOf(run(ownId, { name: null }, tokens.admin))).toBe(400);
    expect(await statusOf(run(ownId, { plan: 'enterprise' }, tokens.admin))).toBe(403);
    expect(await statusOf(run(otherId, { name: 'x' }, tokens.admin))).toBe(404);
    expect(await statusOf(run(ownId, { name: 'x' }, tokens.user))).toBe(403);
    expect(await statusOf(run(ownId, { name: 'x' }))).toBe(401);
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
