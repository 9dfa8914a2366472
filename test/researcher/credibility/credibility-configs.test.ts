import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addApiToken, addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addCredibilityConfig, CREDIBILITY } from '../../support/builders/credibility.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Client, Platform, RestAnswer } from '../../support/servers/platform.js';

describe('configurations of credibility', () => {
  let [platform, tenant, admin]: [Platform, StaffedTenant, Client] = [] as never;
  beforeAll(async () => void (platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' })));
  afterAll(() => platform.close());
  beforeEach(async () => {
    tenant = await addStaffedTenant(platform);
    admin = platform.as(tenant.admin.token);
  });

  it('are made with what is left out set as usual, the first one as the default', async () => {
    const { status, headers, body } = await add({ name: ' Reference works ' });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${CREDIBILITY}/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^cred_[0-9a-z]{26}$/),
      object: 'researcher.credibility',
      name: 'Reference works',
      rules: [],
      default_score: 0.5,
      min_score: 0,
      is_default: true,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
  });

  it('keep what they are made with, and are changed in what a patch names alone', async () => {
    const rules = [{ pattern: '*.Example.com', score: 0.9 }];
    const { body } = await add({ rules, default_score: 0.4, min_score: 0.2 });

    const changed = await admin.patch(`${CREDIBILITY}/${body.id}`, { min_score: 0 });
    const read = await platform.as(tenant.user.token).get(`${CREDIBILITY}/${body.id}`);

    expect(body).toMatchObject({ rules: [{ pattern: '*.example.com', score: 0.9 }], default_score: 0.4 });
    expect(changed.body).toEqual({ ...body, min_score: 0, updated_at: expect.any(String) });
    expect(read.body).toEqual(changed.body);
    expect((await admin.get(CREDIBILITY)).body.data).toEqual([changed.body]);
  });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a score above 1', { rules: [{ pattern: 'a.test', score: 1.1 }] }, 'rules[0].score'],
    ['a score below 0', { default_score: -0.1 }, 'default_score'],
    ['a URL for a pattern', { rules: [{ pattern: 'https://a.test', score: 1 }] }, 'rules[0].pattern'],
    [
      'a pattern twice',
      {
        rules: [
          { pattern: 'a.test', score: 1 },
          { pattern: 'A.test.', score: 0 },
        ],
      },
      'rules[1].pattern',
    ],
    ['too many rules', { rules: Array.from({ length: 501 }, (_, i) => ({ pattern: `${i}.test`, score: 1 })) }, 'rules'],
    ['null', { min_score: null }, 'min_score'],
  ])('are not made with %s', async (_what, members, param) => {
    expect(await add(members)).toMatchObject({ status: 400, body: { error: { code: 'bad_request', param } } });
  });

  it('have one default, which moves', async () => {
    const [first, second, third] = [await add(), await add(), await add({ is_default: true })];

    const made = await defaults();
    const moved = await admin.post(`${CREDIBILITY}/${first.body.id}/default`);
    const again = await admin.post(`${CREDIBILITY}/${first.body.id}/default`);
    const patched = await admin.patch(`${CREDIBILITY}/${second.body.id}`, { is_default: true });

    expect([first, second, third].map(({ body }) => body.is_default)).toEqual([true, false, true]);
    expect(made).toEqual([third.body.id]);
    expect([moved, again]).toMatchObject([
      { status: 200, body: { id: first.body.id, is_default: true } },
      { status: 200, body: { is_default: true } },
    ]);
    expect(patched.body.is_default).toBe(true);
    expect(await defaults()).toEqual([second.body.id]);
  });

  it('have one default whoever moves it at once', async () => {
    const ids = (await Promise.all([1, 2, 3, 4].map(() => add()))).map(({ body }) => body.id as string);

    const twice = ids.flatMap((id) => [id, id]);
    const moved = await Promise.all(twice.map((id) => admin.post(`${CREDIBILITY}/${id}/default`)));

    expect(new Set(moved.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await defaults()).toHaveLength(1);
  });

  it('never lose their default', async () => {
    const [first, second] = [await add(), await add()];

    const unset = await admin.patch(`${CREDIBILITY}/${first.body.id}`, { is_default: false });
    const early = await admin.delete(`${CREDIBILITY}/${first.body.id}`);
    const other = await admin.delete(`${CREDIBILITY}/${second.body.id}`);
    const last = await admin.delete(`${CREDIBILITY}/${first.body.id}`);

    expect(unset).toMatchObject({ status: 409, body: { error: { code: 'conflict', param: 'is_default' } } });
    expect([early.status, other.status, last.status]).toEqual([409, 204, 204]);
    expect((await admin.get(CREDIBILITY)).body.data).toEqual([]);
  });

  it('are a hundred at most', async () => {
    const statuses = [];
    for (let count = 0; count <= 100; count += 1) statuses.push((await add()).status);

    expect(statuses).toEqual([...Array(100).fill(201), 409]);
  });

  it('are read by the tenant, changed by its administrators, and nothing to others', async () => {
    const { body } = await add();
    const others = await addStaffedTenant(platform);
    const sysadmin = (await platform.login()).access_token;
    const { token: narrow } = await addApiToken(platform, tenant.admin.token, ['researcher:read', 'researcher:write']);
    const statusesOf = async (token: string) => [
      (await platform.as(token).get(`${CREDIBILITY}/${body.id}`)).status,
      (await platform.as(token).patch(`${CREDIBILITY}/${body.id}`, { name: 'x' })).status,
      (await platform.as(token).post(`${CREDIBILITY}/${body.id}/default`)).status,
    ];

    expect(await statusesOf(tenant.user.token)).toEqual([200, 403, 403]);
    expect(await statusesOf(narrow)).toEqual([200, 403, 403]);
    expect(await statusesOf(tenant.admin.token)).toEqual([200, 200, 200]);
    expect(await statusesOf(others.user.token)).toEqual([404, 403, 403]);
    expect(await statusesOf(others.admin.token)).toEqual([404, 404, 404]);
    expect(await statusesOf(sysadmin)).toEqual([404, 404, 404]);
    expect((await platform.as(others.admin.token).get(CREDIBILITY)).body.data).toEqual([]);
    expect((await admin.delete(`${CREDIBILITY}/cred_nonsense`)).status).toBe(404);
  });

  it('are the same over GraphQL', async () => {
    const ask = async (query: string, variables: Record<string, unknown> = {}) =>
      (await admin.graphql(query, variables)).body.data;
    const input = { name: 'Names', rules: [{ pattern: '*.test', score: 0.7 }], minScore: 0.1 };

    const create = `mutation ($input: CredibilityConfigInput!) {
      made: createCredibilityConfig(input: $input) { id isDefault rules { pattern score } defaultScore minScore } }`;
    const [{ made: first }, { made: second }] = [await ask(create, { input }), await ask(create, { input })];
    const { id } = second;
    const update = 'mutation ($id: ID!) { updateCredibilityConfig(id: $id, patch: { name: "New" }) { name } }';
    const changed = await ask(update, { id });
    const moved = await ask('mutation ($id: ID!) { setDefaultCredibilityConfig(id: $id) { isDefault } }', { id });
    const listed = await ask('{ credibilityConfigs(order: asc) { edges { node { id isDefault } } totalCount } }');
    const gone = await ask('mutation ($id: ID!) { deleteCredibilityConfig(id: $id) { id success } }', { id: first.id });

    expect(first).toEqual({ id: first.id, isDefault: true, rules: input.rules, defaultScore: 0.5, minScore: 0.1 });
    expect([changed.updateCredibilityConfig, moved.setDefaultCredibilityConfig]).toEqual([
      { name: 'New' },
      { isDefault: true },
    ]);
    expect(listed.credibilityConfigs).toEqual({
      edges: [{ node: { id: first.id, isDefault: false } }, { node: { id, isDefault: true } }],
      totalCount: 2,
    });
    expect(gone.deleteCredibilityConfig).toEqual({ id: first.id, success: true });
  });

  it('go with their tenant', async () => {
    const { body } = await add();
    const sysadmin = (await platform.login()).access_token;

    const answer = await platform.as(sysadmin).delete(`/v1/admin/tenants/${tenant.id}`);

    expect(answer.status).toBe(204);
    await eventually('the configuration is gone', 30, async () => {
      return (await platform.query('SELECT FROM credibility_configs WHERE id = $1', [body.id])).length === 0;
    });
  });

  function add(members: object = {}): Promise<RestAnswer> {
    return addCredibilityConfig(platform, tenant.admin.token, members);
  }

  async function defaults(): Promise<string[]> {
    const { body } = await admin.get(CREDIBILITY);
    return (body.data as { id: string; is_default: boolean }[]).filter((one) => one.is_default).map(({ id }) => id);
  }
});
