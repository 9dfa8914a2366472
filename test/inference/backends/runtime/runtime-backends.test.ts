import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addStaffedTenant, addTenant } from '../../../support/builders/accounts.js';
import type { StaffedTenant } from '../../../support/builders/accounts.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { Client, RestAnswer } from '../../../support/servers/platform.js';
import { startScriptedBackend } from '../../../support/servers/scripted-backend.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';

const SECRET = 'sk-very-secret-upstream';

describe('backends that are added while the server runs', () => {
  let [gateway, tenant, sysadmin, admin]: [Gateway, StaffedTenant, Client, Client] = [] as never;

  beforeAll(async () => {
    const env = { EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' };
    gateway = await startGateway({ backends: [], env });
    tenant = await addStaffedTenant(gateway.platform);
    [sysadmin, admin] = [gateway.platform.as(gateway.token), gateway.platform.as(tenant.admin.token)];
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.backend.reset());
  afterEach(removeAll);

  it('answer at once, with their key, which nobody gets to see again', async () => {
    const { status, headers, body } = await add({ api_key: SECRET, headers: { 'X-Team': 'research' }, weight: 2 });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/admin/backends/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^bck_[0-9a-z]{26}$/),
      object: 'backend',
      tenant_id: null,
      name: 'added',
      kind: 'openai',
      provider: 'openai',
      base_url: gateway.backend.url,
      has_api_key: true,
      header_names: ['x-team'],
      supports: ['chat', 'completions', 'responses', 'embeddings'],
      models: [{ id: 'scripted', upstream: 'scripted' }],
      weight: 2,
      priority: 0,
      max_concurrency: null,
      queue: { max: 100, seconds: 30 },
      health_path: null,
      byok: false,
      timeout_seconds: 300,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await ask(tenant.user.token)).toBe(200);
    expect(gateway.backend.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'x-team': 'research',
    });
    const shown = [
      await sysadmin.get(`${BACKENDS}/${body.id}`),
      await sysadmin.get(BACKENDS),
      await gateway.get('/v1/backends', { token: tenant.user.token }),
    ];
    const rows = await gateway.platform.query('SELECT t::text FROM backends t');
    for (const place of [JSON.stringify(shown), JSON.stringify(rows), gateway.platform.logLines.join('\n')]) {
      expect(place).not.toContain(SECRET);
      expect(place).not.toContain(Buffer.from(SECRET).toString('hex'));
    }
  });

  it('change and go at once', async () => {
    const { body } = await add({ api_key: SECRET, max_concurrency: 4 });
    const before = { ...body, updated_at: expect.any(String) };

    const renamed = await sysadmin.patch(`${BACKENDS}/${body.id}`, {
      name: 'renamed',
      models: [{ id: 'other', upstream: 'x' }],
    });
    expect(renamed.body).toEqual({ ...before, name: 'renamed', models: [{ id: 'other', upstream: 'x' }] });
    expect([await ask(tenant.user.token), await ask(tenant.user.token, 'other')]).toEqual([404, 200]);
    expect(gateway.backend.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);

    const cleared = await sysadmin.patch(`${BACKENDS}/${body.id}`, { api_key: null, max_concurrency: null });
    expect(cleared.body).toMatchObject({ has_api_key: false, max_concurrency: null, name: 'renamed' });
    await ask(tenant.user.token, 'other');
    expect(gateway.backend.requests[1]?.headers).not.toHaveProperty('authorization');

    expect((await sysadmin.delete(`${BACKENDS}/${body.id}`)).status).toBe(204);
    expect(await ask(tenant.user.token, 'other')).toBe(404);
    expect((await sysadmin.get(`${BACKENDS}/${body.id}`)).status).toBe(404);
  });

  it.each([
    ['api_key', { api_key: SECRET }, { api_key: null }],
    ['headers', { headers: { 'x-key': SECRET } }, { headers: {} }],
  ])('send %s to no other server than the one that it was given for', async (param, secret, given) => {
    const elsewhere = await startScriptedBackend();
    const { body } = await add(secret, tenant.admin.token);
    const patch = (members: object) => admin.patch(`${BACKENDS}/${body.id}`, members);

    const kept = await patch({ base_url: `${gateway.backend.url}/other/path` });
    const turned = await patch({ base_url: elsewhere.url });
    const requests = elsewhere.requests.length;
    const withGiven = await patch({ base_url: elsewhere.url, ...given });
    await elsewhere.close();

    expect([kept.status, turned.status, turned.body.error.param, withGiven.status]).toEqual([200, 400, param, 200]);
    expect(requests).toBe(0);
  });

  it('survive a restart', async () => {
    await add({ api_key: SECRET });

    await gateway.platform.restart();

    expect(await ask(tenant.user.token)).toBe(200);
    expect(gateway.backend.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('of a tenant serve that tenant alone, and are its administrators’ and sysadmins’', async () => {
    const { body } = await add({}, tenant.admin.token);
    const { token: foreign } = await addSignedInAdmin(gateway.platform, await addTenant(gateway.platform));

    expect(body.tenant_id).toBe(tenant.id);
    expect([await ask(tenant.user.token), await ask(foreign)]).toEqual([200, 404]);
    expect(await namesFor(tenant.user.token)).toContain('added');
    expect(await namesFor(foreign)).not.toContain('added');
    for (const [method, patch] of [['GET'], ['PATCH', { weight: 2 }], ['DELETE']] as const) {
      expect(
        (await gateway.platform.as(foreign).request(method, `${BACKENDS}/${body.id}`, { body: patch })).status,
      ).toBe(404);
    }
    expect((await gateway.platform.as(foreign).get(BACKENDS)).body.data).toEqual([]);
    expect((await admin.get(BACKENDS)).body.data).toHaveLength(1);
    expect((await sysadmin.patch(`${BACKENDS}/${body.id}`, { weight: 2 })).status).toBe(200);
    expect((await add({ name: 'theirs', tenant_id: tenant.id }, foreign)).status).toBe(404);
    expect((await add({ name: 'theirs', tenant_id: 'ten_01h45ytscbebyvny4gc8cr8ma2' })).status).toBe(404);
    expect((await add({ name: 'mine' }, tenant.user.token)).status).toBe(403);
  });

  it('of everybody are the sysadmins’ alone', async () => {
    const { body } = await add();

    expect((await admin.get(`${BACKENDS}/${body.id}`)).status).toBe(404);
    expect((await admin.delete(`${BACKENDS}/${body.id}`)).status).toBe(404);
    expect(await ask(tenant.user.token)).toBe(200);
  });

  it('have a name that nobody who sees it has to share', async () => {
    await add();
    await add({ name: 'own' }, tenant.admin.token);

    for (const [members, token] of [
      [{}, gateway.token],
      [{}, tenant.admin.token],
      [{ name: 'own' }, tenant.admin.token],
      [{ name: 'builtin' }, gateway.token],
    ] as const) {
      const { status, body } = await add(members, token);
      expect([status, body.error.code, body.error.param]).toEqual([409, 'duplicate', 'name']);
    }
    expect((await add({ name: 'own' }, gateway.token)).status).toBe(201);
  });

  it.each([
    ['name', { name: 'a b' }],
    ['base_url', { base_url: 'ftp://example.com' }],
    ['base_url', { base_url: 'http://user:pass@example.com/v1' }],
    ['supports[0]', { supports: ['magic'] }],
    ['models[0]', { models: [{ id: '' }] }],
    ['weight', { weight: 0 }],
    ['weight', { weight: null }],
    ['priority', { priority: -1 }],
    ['queue.max', { queue: { max: -1, seconds: 1 } }],
    ['headers.Host', { headers: { Host: 'x' } }],
    ['headers.Upgrade', { headers: { Upgrade: 'h2c' } }],
    ['api_key', { api_key: 'line\nbreak' }],
    ['health_path', { health_path: 'health' }],
    ['timeout_seconds', { timeout_seconds: 0 }],
  ])('are checked like those of the file: %s', async (param, members) => {
    const { status, body } = await add(members);

    expect([status, body.error.param]).toEqual([400, param]);
    expect(await namesFor(gateway.token)).toEqual(['builtin']);
  });

  it.each(['http://10.0.0.1/v1', 'http://169.254.169.254/v1', 'http://[::1]:8080/v1', 'http://2851995905/v1'])(
    'of a tenant may not be at %s',
    async (base_url) => {
      const { status, body } = await add({ base_url }, tenant.admin.token);

      expect([status, body.error.param]).toEqual([400, 'base_url']);
      expect((await add({ base_url, name: 'operators' })).status).toBe(201);
    },
  );

  it.each([22, 5432, 6379, 10250])('of a tenant may not be at the port %d', async (port) => {
    const base_url = `http://models.example.com:${port}/v1`;
    const { body: own } = await add({}, tenant.admin.token);

    for (const { status, body } of [
      await add({ base_url, name: 'x' }, tenant.admin.token),
      await admin.patch(`${BACKENDS}/${own.id}`, { base_url }),
    ]) {
      expect([status, body.error.param]).toEqual([400, 'base_url']);
      expect(body.error.message).toMatch(new RegExp(`base_url.*${port}`));
    }
    expect((await add({ base_url, name: 'operators' })).status).toBe(201);
  });

  it('are the same over GraphQL', async () => {
    const create = `mutation ($input: BackendSettingsInput!) {
      createBackend(input: $input) { id name hasApiKey models { id upstream } }
    }`;
    const input = {
      name: 'added',
      baseUrl: gateway.backend.url,
      apiKey: SECRET,
      models: [{ id: 'scripted', upstream: 'x' }],
    };

    const made = (await admin.graphql(create, { input })).body.data.createBackend;
    const listed = await admin.graphql('{ runtimeBackends { edges { node { id } } totalCount } }');
    const gone = await admin.graphql('mutation ($id: ID!) { deleteBackend(id: $id) { id success } }', { id: made.id });

    expect(made).toMatchObject({ name: 'added', hasApiKey: true, models: [{ id: 'scripted', upstream: 'x' }] });
    expect(listed.body.data.runtimeBackends).toEqual({ edges: [{ node: { id: made.id } }], totalCount: 1 });
    expect(gone.body.data.deleteBackend).toEqual({ id: made.id, success: true });
  });

  async function removeAll(): Promise<void> {
    const { body } = await sysadmin.get(BACKENDS);
    for (const { id } of body.data) await sysadmin.delete(`${BACKENDS}/${id}`);
  }

  function add(members: object = {}, token = gateway.token): Promise<RestAnswer> {
    return addRuntimeBackend(gateway.platform, token, { base_url: gateway.backend.url, ...members });
  }

  async function ask(token: string, model = 'scripted'): Promise<number> {
    return (await gateway.chat({ model }, { token })).status;
  }

  async function namesFor(token: string): Promise<string[]> {
    const { body } = await gateway.get('/v1/backends', { token });
    return body.data.map(({ backend: name }: { backend: string }) => name);
  }
});

describe('a backend of a tenant', () => {
  it('is not reached at an address that a name stands for, where that is not public', async () => {
    const gateway = await startGateway({ backends: [] });
    const { token } = await addSignedInAdmin(gateway.platform, await addTenant(gateway.platform));

    const made = await addRuntimeBackend(gateway.platform, token, {
      base_url: `http://localhost:${gateway.backend.port}/v1`,
    });
    const answer = await gateway.chat({}, { token });
    await gateway.close();

    expect([made.status, answer.status]).toEqual([201, 502]);
    expect(gateway.backend.requests).toEqual([]);
  });

  it('is not connected to at a port that is not allowed any more', async () => {
    const gateway = await startGateway({ backends: [], env: { EGRESS_ALLOW: '127.0.0.1', EGRESS_PORTS: '80,443' } });
    const { platform, backend } = gateway;
    const { token } = await addSignedInAdmin(platform, await addTenant(platform));
    const made = await addRuntimeBackend(platform, token, { base_url: 'http://127.0.0.1/v1' });
    const refused = await addRuntimeBackend(platform, token, { name: 'other', base_url: backend.url });
    await platform.query(`UPDATE backends SET settings = jsonb_set(settings, '{base_url}', to_jsonb($1::text))`, [
      backend.url,
    ]);
    await platform.restart();

    const answer = await gateway.chat({}, { token });
    await gateway.close();

    expect([made.status, refused.status, answer.status]).toEqual([201, 400, 502]);
    expect(backend.requests).toEqual([]);
  });
});

const BACKENDS = '/v1/admin/backends';
