import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { addDirectory, syncDirectory } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { ScriptedDirectory } from '../../support/servers/scripted-directory.js';
import { foundPerson, startSearchedDirectory } from '../../support/servers/searched-directory.js';

describe('the syncs of slow directories', () => {
  let platform: Platform;
  let token: string;
  let slow: ScriptedDirectory;
  let quick: ScriptedDirectory;
  beforeAll(async () => ({ platform, token, slow, quick } = await setUp()));
  afterAll(() => Promise.all([slow.close(), quick.close()]).then(() => platform.close()));

  it('leave a place to other tenants, and are done one at a time for each tenant', async () => {
    const tenants = await Promise.all(['w', 'x', 'y', 'z'].map((name) => addTenant(platform, { name })));
    for (const [n, tenantId] of tenants.entries()) {
      for (const half of ['a', 'b']) await begin(await add(slow, `slow${n}${half}.test`, tenantId));
    }
    await eventually('all tenants have a sync', 30, () => slow.connections === tenants.length);

    const other = await syncDirectory(platform, token, await add(quick, 'quick.test', await addTenant(platform)));

    expect(other.status).toBe('completed');
    expect(slow.connections).toBe(tenants.length);
  });

  function add(directory: ScriptedDirectory, domain: string, tenantId: string): Promise<string> {
    const settings = { kind: 'ldap', name: domain, domains: [domain], url: directory.url, base_dn: 'ou=people' };
    return addDirectory(platform, token, { ...settings, timeout_seconds: 60, tenant_id: tenantId });
  }

  async function begin(id: string): Promise<void> {
    const { status } = await platform.request('POST', `/v1/admin/directories/${id}/sync`, { token, body: {} });
    expect(status).toBe(202);
  }
});

async function setUp() {
  const slow = await ScriptedDirectory.start(() => undefined);
  const quick = await startSearchedDirectory(({ base }) => ({
    entries: base === '' ? [] : [foundPerson(1, { domain: 'quick.test' })],
  }));
  const platform = await startPlatform();
  const { access_token: token } = await platform.login();
  return { platform, token, slow, quick };
}
