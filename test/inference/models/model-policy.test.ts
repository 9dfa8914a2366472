import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant, addUser, defaultTenantId, signIn } from '../../support/accounts.js';
import { startScriptedBackend } from '../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../support/scripted-backend.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform, RestAnswer } from '../../support/platform.js';

describe('the model policy of a tenant', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let sysadmin: string;
  let admin: string;
  let user: string;
  let tenantId: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    backend.models = ['gpt-4', 'gpt-4-experimental', 'org/llama'];
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    sysadmin = (await platform.login()).access_token;
    tenantId = await addTenant(platform);
    const administrator = await addUser(platform, tenantId, { privileges: ['user', 'admin'] });
    admin = (await signIn(platform, administrator.email)).access_token;
    user = (await signIn(platform, (await addUser(platform, tenantId)).email)).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });
  beforeEach(() => put({}));

  it('allows everything where none was set', async () => {
    const { status, body } = await platform.request('GET', path(await defaultTenantId(platform)), { token: sysadmin });

    expect([status, body.allow, body.deny, body.updated_at]).toEqual([200, [], [], null]);
    expect(await modelsOf(user)).toEqual(['gpt-4', 'gpt-4-experimental', 'org/llama']);
  });

  it('filters what is listed, for that tenant alone', async () => {
    const { status, body } = await put({ allow: ['gpt-*', 'gpt-*'], deny: ['*-experimental'] });

    expect(status).toBe(200);
    expect(body).toEqual({
      tenant_id: tenantId,
      allow: ['gpt-*'],
      deny: ['*-experimental'],
      updated_at: expect.any(String),
    });
    expect(await modelsOf(user)).toEqual(['gpt-4']);
    expect(await modelsOf(sysadmin)).toEqual(['gpt-4', 'gpt-4-experimental', 'org/llama']);
    const { body: backends } = await platform.request('GET', '/v1/backends', { token: user });
    expect(backends.data[0].models).toEqual(['gpt-4']);
    const get = async (id: string) =>
      (await platform.request('GET', `/v1/models/${encodeURIComponent(id)}`, { token: user })).status;
    expect([await get('gpt-4'), await get('org/llama')]).toEqual([200, 404]);
  });

  it('denies what is also allowed, and knows slashes', async () => {
    await put({ deny: ['org/*'] });

    expect(await modelsOf(user)).toEqual(['gpt-4', 'gpt-4-experimental']);
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

    const answer = await platform.request('POST', endpoint, { token: user, body: { model: 'org/llama', ...body } });

    expect([answer.status, answer.body.error.type, answer.body.error.code]).toEqual([
      409,
      'conflict_error',
      'model_not_allowed',
    ]);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(backend.requests).toEqual([]);
  });

  it('is set by administrators of the tenant, and by sysadmins', async () => {
    const foreign = await defaultTenantId(platform);

    expect((await put({}, sysadmin)).status).toBe(200);
    expect((await put({}, user)).status).toBe(403);
    expect((await put({}, admin, foreign)).status).toBe(404);
    expect((await put({}, sysadmin, 'ten_01h45ytscbebyvny4gc8cr8ma2')).status).toBe(404);
    expect((await put({}, sysadmin, 'nonsense')).status).toBe(404);
    expect((await platform.request('GET', path(foreign), { token: admin })).status).toBe(404);
  });

  it.each([
    ['allow', { allow: Array.from({ length: 101 }, (_, index) => `model-${index}`) }],
    ['allow', { allow: ['x'.repeat(257)] }],
    ['deny', { deny: [''] }],
    ['deny', { deny: ['a\u0000b'] }],
    ['deny', { deny: null }],
    ['allow.0', { allow: [1] }],
  ])('names %s where it is wrong', async (param, body) => {
    const answer = await put(body);

    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });

  it('is the same over GraphQL', async () => {
    const set = `mutation ($id: ID!) {
      setModelPolicy(tenantId: $id, policy: { allow: [], deny: ["gpt-*"] }) { tenantId deny }
    }`;

    const { body } = await platform.graphql(set, { id: tenantId }, admin);

    expect(body.data.setModelPolicy).toEqual({ tenantId, deny: ['gpt-*'] });
    expect(await modelsOf(user)).toEqual(['org/llama']);
  });

  it('survives a restart', async () => {
    await put({ allow: ['gpt-4'] });

    await platform.restart();

    expect(await modelsOf(user)).toEqual(['gpt-4']);
  });

  function path(id = tenantId): string {
    return `/v1/admin/tenants/${id}/model-policy`;
  }

  function put(body: object, token = admin, id = tenantId): Promise<RestAnswer> {
    return platform.request('PUT', path(id), { token, body });
  }

  async function modelsOf(token: string): Promise<string[]> {
    const { body } = await platform.request('GET', '/v1/models', { token });
    return body.data.map(({ id }: { id: string }) => id).filter((id: string) => !id.startsWith('builtin'));
  }
});
