import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addTenant } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { addSanitizerPolicy, POLICIES } from '../../support/sanitizer-policy.js';
import { onPostgres } from '../../support/services.js';

onPostgres.describe('two replicas', () => {
  let platform: Platform;
  let replica: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
    replica = await platform.startReplica();
  });
  afterAll(async () => {
    await replica.close();
    await platform.close();
  });

  it('go within two seconds by the same sanitizer policies', async () => {
    const { access_token: token } = await platform.login();
    const tenantId = await addTenant(platform);

    const { body } = await addSanitizerPolicy(platform, token, { tenant_id: tenantId });
    const times = [await millisecondsUntil(tenantId, 'email')];
    const rules = [{ kind: 'iban', action: 'block' }];
    await platform.request('PATCH', `${POLICIES}/${body.id}`, { token, body: { rules } });
    times.push(await millisecondsUntil(tenantId, 'iban'));
    await platform.request('DELETE', `${POLICIES}/${body.id}`, { token });
    times.push(await millisecondsUntil(tenantId, undefined));

    for (const time of times) expect(time).toBeLessThan(2_000);
  });

  /** How long the replica takes to go by a policy with one rule of this kind; undefined: by none. */
  async function millisecondsUntil(tenantId: string, kind: string | undefined): Promise<number> {
    const startedAt = performance.now();
    await eventually('the replica goes by the policy', 5, () => {
      const effective = replica.app.ports.sanitizerPolicies.effectiveFor(tenantId);
      return effective?.input?.rules[0]?.kind === kind;
    });
    return performance.now() - startedAt;
  }
});
