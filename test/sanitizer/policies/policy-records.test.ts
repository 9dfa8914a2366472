import { beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { metricValue } from '../../support/probes/metrics.js';
import { addSanitizerPolicy, POLICIES } from '../../support/builders/sanitizer-policy.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const SERVICE = newServiceKey();

describe('what is told and left of sanitizer policies', () => {
  const platform = usePlatform(SERVICE.env);
  let sysadmin: string;

  beforeAll(async () => {
    sysadmin = (await platform.login()).access_token;
  });

  it('is in the audit log who has made, changed and deleted one, and nothing of what it looks for', async () => {
    const { id: tenantId, admin } = await addStaffedTenant(platform);
    const rules = [
      { kind: 'regex', action: 'mask', pattern: 'secret-pattern' },
      { kind: 'words', action: 'mask', words: ['secret-word'] },
    ];

    const { body } = await addSanitizerPolicy(platform, admin.token, { name: 'secret-name', rules });
    await platform.as(sysadmin).patch(`${POLICIES}/${body.id}`, { rules });
    await platform.as(admin.token).delete(`${POLICIES}/${body.id}`);
    await platform.as(admin.token).delete(`${POLICIES}/${body.id}`);
    const entries = await eventually('the entries are sealed', 10, async () => {
      const found = await entriesOf(body.id);
      return found.length >= 3 && found;
    });

    expect(entries).toMatchObject(
      ['create', 'update', 'delete'].map((verb) => ({
        tenant_id: tenantId,
        action: `sanitizer_policy.${verb}`,
        actor: { type: 'user' },
        target: { type: 'sanitizer_policy', id: body.id },
        outcome: 'success',
        reason: null,
      })),
    );
    expect(entries).toHaveLength(3);
    expect(JSON.stringify(await platform.query('SELECT * FROM audit_entries'))).not.toContain('secret-');
    expect(platform.logLines.join('\n')).not.toContain('secret-');
  });

  it('is gone with its tenant', async () => {
    const { id: tenantId, admin } = await addStaffedTenant(platform);
    const { body: kept } = await addSanitizerPolicy(platform, sysadmin);
    await addSanitizerPolicy(platform, admin.token);

    await platform.as(sysadmin).delete(`/v1/admin/tenants/${tenantId}`);

    await eventually('the tenant is erased', 20, async () => (await idsOfAll()).length === 1);
    expect(await idsOfAll()).toEqual([kept.id]);
  });

  it('is counted where it is enabled', async () => {
    const count = () => metricValue(platform, SERVICE.key, 'platform_sanitizer_policies');
    const before = await count();

    await addSanitizerPolicy(platform, sysadmin);
    await addSanitizerPolicy(platform, sysadmin, { enabled: false });

    expect(await count()).toBe(before + 1);
  });

  async function entriesOf(id: string): Promise<object[]> {
    const path = `/v1/admin/audit-logs?target=${id}&order=asc`;
    return (await platform.as(sysadmin).get(path)).body.data;
  }

  async function idsOfAll(): Promise<string[]> {
    return (await platform.query<{ id: string }>('SELECT id FROM sanitizer_policies')).map(({ id }) => id);
  }
});
