import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addStaffedTenant, defaultTenantId } from '../../support/builders/accounts.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import type { RestAnswer } from '../../support/servers/platform.js';

describe('the model policy of a tenant', () => {
  let gateway: Gateway;
  let tenant: StaffedTenant;

  beforeAll(async () => {
    const models = ['gpt-4', 'gpt-4-experimental', 'org/llama'];
    gateway = await startGateway({ models, env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    tenant = await addStaffedTenant(gateway.platform);
  });
  afterAll(() => gateway.close());
  beforeEach(() => put({}));

  it('allows everything where none was set', async () => {
    const { status, body } = await gateway.get(path(await defaultTenantId(gateway.platform)));

    expect([status, body.allow, body.deny, body.updated_at]).toEqual([200, [], [], null]);
    expect(await modelsOf(tenant.user.token)).toEqual(['gpt-4', 'gpt-4-experimental', 'org/llama']);
  });

  it('filters what is listed, for that tenant alone', async () => {
    const { status, body } = await put({ allow: ['gpt-*', 'gpt-*'], deny: ['*-experimental'] });

    expect(status).toBe(200);
    expect(body).toEqual({
      tenant_id: tenant.id,
      allow: ['gpt-*'],
      deny: ['*-experimental'],
      updated_at: expect.any(String),
    });
    expect(await modelsOf(tenant.user.token)).toEqual(['gpt-4']);
    expect(await modelsOf(gateway.token)).toEqual(['gpt-4', 'gpt-4-experimental', 'org/llama']);
    const { body: backends } = await gateway.get('/v1/backends', { token: tenant.user.token });
    expect(backends.data[0].models).toEqual(['gpt-4']);
    const get = async (id: string) =>
      (await gateway.get(`/v1/models/${encodeURIComponent(id)}`, { token: tenant.user.token })).status;
    expect([await get('gpt-4'), await get('org/llama')]).toEqual([200, 404]);
  });

  it('denies what is also allowed, and knows slashes', async () => {
    await put({ deny: ['org/*'] });

    expect(await modelsOf(tenant.user.token)).toEqual(['gpt-4', 'gpt-4-experimental']);
  });

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }], stream: true }],
    ['/v1/completions', { prompt: 'Hi' }],
    ['/v1/embeddings', { input: 'Hi' }],
    ['/v1/responses', { input: 'Hi' }],
    ['/v1/responses', { input: 'Hi', stream: true }],
  ])('refuses on %s with 409 that no SDK retries', async (endpoint, body) => {
    await put({ deny: ['org/*'] });

    const answer = await gateway.post(endpoint, { model: 'org/llama', ...body }, { token: tenant.user.token });

    expect([answer.status, answer.body.error.type, answer.body.error.code]).toEqual([
      409,
      'conflict_error',
      'model_not_allowed',
    ]);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(gateway.backend.requests).toEqual([]);
  });

  it('is set by administrators of the tenant, and by sysadmins', async () => {
    const foreign = await defaultTenantId(gateway.platform);

    expect((await put({}, gateway.token)).status).toBe(200);
    expect((await put({}, tenant.user.token)).status).toBe(403);
    expect((await put({}, tenant.admin.token, foreign)).status).toBe(404);
    expect((await put({}, gateway.token, 'ten_01h45ytscbebyvny4gc8cr8ma2')).status).toBe(404);
    expect((await put({}, gateway.token, 'nonsense')).status).toBe(404);
    expect((await gateway.get(path(foreign), { token: tenant.admin.token })).status).toBe(404);
  });

  it.each([
    ['allow', { allow: Array.from({ length: 101 }, (_, index) => `model-${index}`) }],
    ['allow', { allow: ['x'.repeat(257)] }],
    ['deny', { deny: [''] }],
    ['deny', { deny: ['a\u0000b'] }],
    ['deny', { deny: null }],
    ['allow[0]', { allow: [1] }],
  ])('names %s where it is wrong', async (param, body) => {
    const answer = await put(body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  it('is the same over GraphQL', async () => {
    const set = `mutation ($id: ID!) {
      setModelPolicy(tenantId: $id, policy: { allow: [], deny: ["gpt-*"] }) { tenantId deny }
    }`;

    const { body } = await gateway.platform.graphql(set, { id: tenant.id }, tenant.admin.token);

    expect(body.data.setModelPolicy).toEqual({ tenantId: tenant.id, deny: ['gpt-*'] });
    expect(await modelsOf(tenant.user.token)).toEqual(['org/llama']);
  });

  it('survives a restart', async () => {
    await put({ allow: ['gpt-4'] });

    await gateway.platform.restart();

    expect(await modelsOf(tenant.user.token)).toEqual(['gpt-4']);
  });

  function path(id = tenant.id): string {
    return `/v1/admin/tenants/${id}/model-policy`;
  }

  function put(body: object, token = tenant.admin.token, id = tenant.id): Promise<RestAnswer> {
    return gateway.request('PUT', path(id), { token, body });
  }

  async function modelsOf(token: string): Promise<string[]> {
    const { body } = await gateway.get('/v1/models', { token });
    const listed = body.data as { id: string; owned_by: string }[];
    return listed.filter(({ owned_by: owner }) => owner !== 'builtin').map(({ id }) => id);
  }
});
