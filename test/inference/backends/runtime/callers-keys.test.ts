import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../../support/builders/accounts.js';
import type { StaffedTenant } from '../../../support/builders/accounts.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';
import { useGateway } from '../../../support/servers/use-servers.js';

describe("a tenant's backend and callers' own keys", () => {
  const gateway = useGateway({
    backends: [],
    env: { EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' },
  });
  let tenant: StaffedTenant;

  beforeAll(async () => {
    tenant = await addStaffedTenant(gateway.platform);
  });
  afterEach(removeAll);

  it('do not meet by the word of its administrator', async () => {
    const made = await add(tenant.admin.token, { byok: true });
    const input = { name: 'added', baseUrl: gateway.backend.url, models: [{ id: 'scripted' }], byok: true };
    const overGraphql = await admin().graphql(CREATE, { input });
    const { body: own } = await add(tenant.admin.token);
    const changed = await admin().patch(`${BACKENDS}/${own.id}`, { byok: true });

    const { status } = await askWithKey();

    expect([made.status, overGraphql.body.errors[0].extensions.status, changed.status]).toEqual([403, 403, 403]);
    expect(made.body.error.message).toMatch(/^byok: only a sysadmin/);
    expect(status).toBe(409);
    expect(keysSeen()).toEqual([]);
  });

  it('meet by the word of a sysadmin, and then no administrator of the tenant may lead the keys elsewhere', async () => {
    const { status, body } = await add(gateway.token, { byok: true, tenant_id: tenant.id });
    const path = `${BACKENDS}/${body.id}`;

    const answered = await askWithKey();
    const turned = await admin().patch(path, { base_url: 'http://127.0.0.1:1024/v1' });
    const switchedOff = await admin().patch(path, { base_url: 'http://127.0.0.1:1024/v1', byok: false });

    expect([status, body.byok, answered.status, turned.status]).toEqual([201, true, 200, 403]);
    expect([switchedOff.status, switchedOff.body.byok]).toEqual([200, false]);
    expect(keysSeen()).toEqual([`Bearer ${KEY}`]);
  });

  it('do not meet by what was stored before sysadmins alone could say so, and the log names the backend', async () => {
    const { platform } = gateway;
    const { body: own } = await add(gateway.token, { byok: true, tenant_id: tenant.id });
    const { body: shared } = await add(gateway.token, { byok: true, name: 'shared', models: [{ id: 'shared' }] });
    await platform.query('ALTER TABLE backends DROP COLUMN takes_keys');
    await platform.query("DELETE FROM migrations WHERE name = 'CallersKeys1795921200000'");
    await platform.restart();

    const statuses = [(await askWithKey()).status, (await askWithKey('shared')).status];

    expect(statuses).toEqual([409, 200]);
    expect((await gateway.get(`${BACKENDS}/${own.id}`)).body.byok).toBe(false);
    const warnings = platform.logLines.filter((line) => line.includes("callers' own keys are not sent"));
    expect(warnings.join()).toContain(own.id);
    expect(warnings.join()).not.toContain(shared.id);
  });

  const admin = () => gateway.platform.as(tenant.admin.token);

  const askWithKey = (model = 'scripted') =>
    gateway.chat({ model }, { token: tenant.user.token, headers: { 'x-byok-api-key': KEY } });

  function add(token: string, settings: object = {}) {
    return addRuntimeBackend(gateway.platform, token, { base_url: gateway.backend.url, ...settings });
  }

  async function removeAll(): Promise<void> {
    const { body } = await gateway.get(BACKENDS);
    for (const { id } of body.data) await gateway.request('DELETE', `${BACKENDS}/${id}`);
    gateway.backend.reset();
  }

  function keysSeen(): unknown[] {
    return gateway.backend.requests.map(({ headers }) => headers.authorization).filter(Boolean);
  }
});

const BACKENDS = '/v1/admin/backends';
const KEY = 'sk-of-a-user-0123456789';
const CREATE = 'mutation ($input: BackendSettingsInput!) { createBackend(input: $input) { id } }';
