import { beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInUser, addStaffedTenant } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import type { Client } from '../support/servers/platform.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform } from '../support/servers/use-servers.js';

const service = newServiceKey();
const TABLES = ['audit_entries', 'audit_records', 'audit_refusals'];

describe('the audit log of somebody who is deleted', () => {
  const platform = usePlatform(service.env);
  let sysadmin: Client;

  beforeAll(async () => {
    sysadmin = platform.as((await platform.login()).access_token);
  });

  it('does not tell who it was, and is whole', async () => {
    const ann = await addSignedInUser(platform);
    const headers = { 'x-request-id': 'ann.at.people.test', 'user-agent': 'Ann-s-browser' };
    await platform.as(ann.token).delete('/v1/auth/sessions', { headers });
    await addApiToken(platform, ann.token);
    await platform.request('POST', '/v1/auth/login', { body: { email: ann.email, password: 'wrong' }, headers });
    await eventually('all is sealed', 10, async () => (await entriesOf(ann.id)).length >= 4);

    const removed = await platform.as(service.key).delete(`/v1/auth/users/${ann.id}`);
    await eventually('the user is erased', 20, async () => (await tracesOf(ann.id)) === 0);
    const dump = JSON.stringify(await Promise.all(TABLES.map((name) => platform.query(`SELECT * FROM ${name}`))));
    const verified = await sysadmin.get('/v1/admin/audit-logs/verify');

    expect(removed.status).toBe(204);
    expect([ann.id, ann.email, 'ann.at.people.test', 'Ann-s-browser'].filter((trace) => dump.includes(trace))).toEqual(
      [],
    );
    expect(verified.body).toMatchObject({ valid: true, problems: [] });
  });

  it('goes with a tenant; where its chain ended stands in that of the platform', async () => {
    const tenant = await addStaffedTenant(platform);
    await eventually('its chain has begun', 10, async () => (await entriesOf(tenant.admin.id)).length > 0);

    await sysadmin.delete(`/v1/admin/tenants/${tenant.id}`);
    const [entry] = await eventually('the chain is gone', 20, async () => {
      const { body } = await sysadmin.get(`/v1/admin/audit-logs?action=audit_log.delete&target=${tenant.id}`);
      return body.data.length > 0 && body.data;
    });
    const left = await platform.query('SELECT FROM audit_entries WHERE chain = $1', [tenant.id]);

    expect(left).toEqual([]);
    expect(entry).toMatchObject({
      tenant_id: null,
      reason: expect.stringMatching(/number \d+ and the hash [0-9a-f]{64}$/),
    });
    expect((await sysadmin.get('/v1/admin/audit-logs/verify')).body.valid).toBe(true);
  });

  function entriesOf(id: string): Promise<object[]> {
    return platform.query('SELECT id FROM audit_entries WHERE actor_id = $1 OR target_id = $1', [id]);
  }

  async function tracesOf(id: string): Promise<number> {
    const users = await platform.query('SELECT FROM users WHERE id = $1', [id]);
    const records = await platform.query('SELECT FROM audit_records WHERE actor_id = $1 OR target_id = $1', [id]);
    return users.length + records.length + (await entriesOf(id)).length;
  }
});
