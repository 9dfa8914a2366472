import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant, addTenant, addUser, defaultTenantId } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const service = newServiceKey();

describe('an erasure that somebody without the secret key has put into the database', () => {
  let [platform, root, token]: [Platform, string, string] = [] as never;
  let probe: AuditChainProbe;
  beforeAll(async () => {
    platform = await startPlatform(service.env);
    const { access_token: accessToken, user } = await platform.login();
    [root, token] = [user.id, accessToken];
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(2);
  });
  afterAll(() => platform.close());

  it.each(['erase-tenant', 'erase-tenant-again'])('by %s deletes no chain', async (kind) => {
    for (const tenantId of ['platform', probe.chain]) await forge(kind, { tenantId });

    await areRefused(kind);

    expect(await probe.sequences()).toEqual([1, 2]);
    expect(await auditRows(platform, "action = 'audit_log.delete'")).toEqual([]);
    expect(await auditRows(platform, "action = 'user.sign_in' AND actor_id = $1", [root])).not.toEqual([]);
  });

  it('is refused where what was sealed for one kind stands in a job of another', async () => {
    const id = await addTenant(platform, { deletedAt: new Date() });
    await forge('erase-tenant', sealed('erase-tenant-again', { id, seed: '' }));

    await areRefused('erase-tenant');

    expect(await platform.query('SELECT FROM tenants WHERE id = $1', [id])).toHaveLength(1);
  });

  it('is refused for a tenant that nobody has deleted, though it was sealed', async () => {
    await forge('erase-tenant', sealed('erase-tenant', { id: probe.chain, seed: '' }));
    await forge('erase-tenant-again', sealed('erase-tenant-again', { id: probe.chain }));

    await areRefused('erase-tenant');
    await areRefused('erase-tenant-again');

    expect(await probe.sequences()).toEqual([1, 2]);
  });

  it('does not make what somebody did another’s', async () => {
    const victim = await addUser(platform, await defaultTenantId(platform));
    const id = await addForgedUser(await defaultTenantId(platform), victim.id);
    await forge('erase-user', { pseudonym: victim.id });
    await forge('erase-user-again', { sealed: Buffer.from(JSON.stringify({ id })).toString('base64') });

    await areRefused('erase-user');
    await areRefused('erase-user-again');

    expect(await auditRows(platform, 'actor_id = $1', [victim.id])).toEqual([]);
    expect(await auditRows(platform, "action = 'user.sign_in' AND actor_id = $1", [root])).not.toEqual([]);
  });

  it('does not make what somebody did another’s where the tenant is deleted', async () => {
    const tenant = await addStaffedTenant(platform);
    const victim = await addUser(platform, await defaultTenantId(platform));
    const id = await addForgedUser(tenant.id, victim.id);

    await platform.request('DELETE', `/v1/admin/tenants/${tenant.id}`, { token });
    await isErased(id);

    expect(await auditRows(platform, 'actor_id = $1', [victim.id])).toEqual([]);
    expect(await auditRows(platform, "action = 'user.sign_in' AND actor_id = $1", [root])).not.toEqual([]);
  });

  it('erases nobody by an id among the names of a user who is deleted', async () => {
    const { id } = await addUser(platform, await defaultTenantId(platform), { auditIdentifiers: [root] });

    await platform.request('DELETE', `/v1/auth/users/${id}`, { token: service.key });
    await isErased(id);

    expect(await auditRows(platform, "action = 'user.sign_in' AND actor_id = $1", [root])).not.toEqual([]);
  });

  /** Adds the row of a deleted user whose pseudonym is somebody's id, and whose name in the log is the administrator's. */
  async function addForgedUser(tenantId: string, pseudonym: string): Promise<string> {
    const user = await addUser(platform, tenantId, { status: 'deleted', pseudonym, auditIdentifiers: [root] });
    return user.id;
  }

  async function forge(kind: string, payload: object): Promise<void> {
    await platform.query("INSERT INTO jobs.job (name, data, keep_until) VALUES ($1, $2, now() + interval '1 day')", [
      kind,
      JSON.stringify({ payload }),
    ]);
  }

  function sealed(kind: string, content: object): object {
    const plaintext = Buffer.from(JSON.stringify({ kind, content }));
    return { sealed: probe.secretBox.seal('erasure', plaintext).toString('base64') };
  }

  /** Waits until all jobs of a kind were tried without success, and deletes them. */
  async function areRefused(kind: string): Promise<void> {
    const states = await eventually('the jobs were tried', 20, async () => {
      const rows = await platform.query<{ state: string }>('SELECT state FROM jobs.job WHERE name = $1', [kind]);
      return rows.every(({ state }) => !['created', 'active'].includes(state)) && rows.map(({ state }) => state);
    });
    await platform.query('DELETE FROM jobs.job WHERE name = $1', [kind]);
    expect(states.filter((state) => !['retry', 'failed'].includes(state))).toEqual([]);
  }

  async function isErased(id: string): Promise<void> {
    await eventually('the user is erased', 20, async () => {
      return (await platform.query('SELECT FROM users WHERE id = $1', [id])).length === 0;
    });
  }
});
