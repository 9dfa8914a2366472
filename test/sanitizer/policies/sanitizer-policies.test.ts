import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addStaffedTenant, addTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Client, Platform, RestAnswer } from '../../support/servers/platform.js';
import { addSanitizerPolicy, deleteSanitizerPolicies, POLICIES } from '../../support/builders/sanitizer-policy.js';

describe('sanitizer policies', () => {
  let platform: Platform;
  let [sysadminToken, sysadmin, admin]: [string, Client, Client] = [] as never;
  let tenant: StaffedTenant;

  beforeAll(start);
  afterAll(() => platform.close());
  afterEach(() => deleteSanitizerPolicies(platform, sysadminToken));

  it('are made with what is left out set as usual', async () => {
    const { status, headers, body } = await add({ name: '  Addresses ' });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${POLICIES}/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^pol_[0-9a-z]{26}$/),
      object: 'sanitizer.policy',
      tenant_id: null,
      name: 'Addresses',
      rules: [{ kind: 'email', action: 'mask', applies_to: 'both', pattern: null, words: null, region: null }],
      unreadable: 'block',
      enabled: true,
      priority: 0,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
  });

  it('keep what they are made with', async () => {
    const rules = [
      { kind: 'phone', action: 'mask', applies_to: 'output', pattern: null, words: null, region: 'DE' },
      { kind: 'regex', action: 'block', applies_to: 'input', pattern: 'ORDER-[0-9]+', words: null, region: null },
      { kind: 'words', action: 'pseudonymize', applies_to: 'both', pattern: null, words: ['Aurora'], region: null },
    ];

    const { body } = await add({ rules, unreadable: 'pass', enabled: false, priority: -7 });

    expect(body).toMatchObject({ rules, unreadable: 'pass', enabled: false, priority: -7 });
    expect((await sysadmin.get(`${POLICIES}/${body.id}`)).body).toEqual(body);
    const { body: list } = await sysadmin.get(POLICIES);
    expect(list).toEqual({ object: 'list', data: [body], has_more: false, next_cursor: null });
  });

  it('are changed in what a patch names alone', async () => {
    const { body } = await add({ priority: 5 });

    const renamed = await sysadmin.patch(`${POLICIES}/${body.id}`, { name: 'Renamed', enabled: false });
    const rules = [{ kind: 'iban', action: 'block', applies_to: 'input', pattern: null, words: null, region: null }];
    const ruled = await sysadmin.patch(`${POLICIES}/${body.id}`, { rules });

    const changed = { ...body, name: 'Renamed', enabled: false, updated_at: expect.any(String) };
    expect([renamed.status, renamed.body]).toEqual([200, changed]);
    expect([ruled.status, ruled.body]).toEqual([200, { ...changed, rules }]);
  });

  it('are gone when they are deleted', async () => {
    const { body } = await add();

    expect((await sysadmin.delete(`${POLICIES}/${body.id}`)).status).toBe(204);
    expect((await sysadmin.get(`${POLICIES}/${body.id}`)).status).toBe(404);
    expect((await sysadmin.delete(`${POLICIES}/${body.id}`)).status).toBe(404);
  });

  it('are listed in pages, the youngest first', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await add()).body.id);

    const first = (await sysadmin.get(`${POLICIES}?limit=2`)).body;
    const second = (await sysadmin.get(`${POLICIES}?limit=2&after=${first.next_cursor}`)).body;

    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('of a tenant are its administrators’ and sysadmins’', async () => {
    const { body } = await add({}, tenant.admin.token);
    const { token: foreign } = await addSignedInAdmin(platform, await addTenant(platform));

    expect(body.tenant_id).toBe(tenant.id);
    for (const [method, patch] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const) {
      expect((await platform.as(foreign).request(method, `${POLICIES}/${body.id}`, { body: patch })).status).toBe(404);
    }
    expect((await platform.as(foreign).get(POLICIES)).body.data).toEqual([]);
    expect((await admin.get(POLICIES)).body.data).toHaveLength(1);
    expect((await sysadmin.patch(`${POLICIES}/${body.id}`, { enabled: false })).status).toBe(200);
    expect((await add({ tenant_id: tenant.id })).body.tenant_id).toBe(tenant.id);
    expect((await add({ tenant_id: tenant.id }, foreign)).status).toBe(404);
    expect((await add({ tenant_id: 'ten_01h45ytscbebyvny4gc8cr8ma2' })).status).toBe(404);
    expect((await add({}, tenant.user.token)).status).toBe(403);
  });

  it('for everybody are the sysadmins’ alone', async () => {
    const { body } = await add();

    for (const [method, patch] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const) {
      expect((await admin.request(method, `${POLICIES}/${body.id}`, { body: patch })).status).toBe(404);
    }
    expect((await admin.get(POLICIES)).body.data).toEqual([]);
  });

  it('are 20 at most for a tenant, and 20 for everybody', async () => {
    for (const token of [tenant.admin.token, sysadminToken]) {
      const statuses = [];
      for (let count = 0; count <= 20; count += 1) statuses.push((await add({}, token)).status);

      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
    }
  });

  it('are the same over GraphQL', async () => {
    const ask = async (query: string, variables?: Record<string, unknown>) =>
      (await admin.graphql(query, variables)).body;
    const input = { name: 'Names', rules: [{ kind: 'words', action: 'block', appliesTo: 'input', words: ['Aurora'] }] };

    const create = `mutation ($input: SanitizerPolicyInput!) {
      createSanitizerPolicy(input: $input) { id tenantId rules { kind appliesTo words pattern } unreadable }
    }`;
    const made = (await ask(create, { input })).data.createSanitizerPolicy;
    const patch =
      'mutation ($id: ID!) { updateSanitizerPolicy(id: $id, patch: { priority: 3 }) { priority rules { kind } } }';
    const changed = await ask(patch, { id: made.id });
    const listed = await ask('{ sanitizerPolicies { edges { node { id } } totalCount } }');
    const gone = await ask('mutation ($id: ID!) { deleteSanitizerPolicy(id: $id) { id success } }', { id: made.id });

    expect(made).toMatchObject({ tenantId: tenant.id, unreadable: 'block' });
    expect(made.rules).toEqual([{ kind: 'words', appliesTo: 'input', words: ['Aurora'], pattern: null }]);
    expect(changed.data.updateSanitizerPolicy).toEqual({ priority: 3, rules: [{ kind: 'words' }] });
    expect(listed.data.sanitizerPolicies).toEqual({ edges: [{ node: { id: made.id } }], totalCount: 1 });
    expect(gone.data.deleteSanitizerPolicy).toEqual({ id: made.id, success: true });
  });

  async function start(): Promise<void> {
    platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    sysadminToken = (await platform.login()).access_token;
    tenant = await addStaffedTenant(platform);
    [sysadmin, admin] = [platform.as(sysadminToken), platform.as(tenant.admin.token)];
  }

  function add(members: object = {}, token = sysadminToken): Promise<RestAnswer> {
    return addSanitizerPolicy(platform, token, members);
  }
});
