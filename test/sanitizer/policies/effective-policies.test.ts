import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decidingRule } from '../../../src/sanitizer/replacement.js';
import { addStaffedTenant, addTenant } from '../../support/accounts.js';
import type { StaffedTenant } from '../../support/accounts.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { addSanitizerPolicy, deleteSanitizerPolicies, POLICIES } from '../../support/sanitizer-policy.js';

describe('what holds for the calls of a tenant', () => {
  let platform: Platform;
  let sysadmin: string;
  let tenant: StaffedTenant;

  beforeAll(start);
  afterAll(() => platform.close());
  afterEach(() => deleteSanitizerPolicies(platform, sysadmin));

  it('is nothing where no policy is enabled', async () => {
    await add({ enabled: false });
    await add({ tenant_id: await addTenant(platform) });

    expect(effective()).toBeUndefined();
  });

  it('are the policies for everybody before its own, each by priority and then by age', async () => {
    const first = await add({ rules: [rule('email')], tenant_id: tenant.id });
    const second = await add({ rules: [rule('credit_card')], tenant_id: tenant.id });
    const low = await add({ rules: [rule('ip'), rule('iban')], priority: -1 });
    const shared = await add({ rules: [rule('phone')] });
    const high = await add({ rules: [rule('person_id', { action: 'block' })], priority: 1, tenant_id: tenant.id });

    expect(effective()?.input?.rules).toEqual([
      { kind: 'phone', action: 'mask', policyId: shared },
      { kind: 'ip', action: 'mask', policyId: low },
      { kind: 'iban', action: 'mask', policyId: low },
      { kind: 'person_id', action: 'block', policyId: high },
      { kind: 'email', action: 'mask', policyId: first },
      { kind: 'credit_card', action: 'mask', policyId: second },
    ]);
  });

  it('is decided by a policy for everybody, whatever the priority of one of its own', async () => {
    const weaker = rule('email', { action: 'pseudonymize' });
    await add({ rules: [weaker], priority: 1_000, tenant_id: tenant.id });
    await add({ priority: -1_000 });

    const rules = effective()?.input?.rules ?? [];

    expect(decidingRule(rules)).toMatchObject({ kind: 'email', action: 'mask' });
  });

  it('has for each direction the rules that apply to it', async () => {
    const rules = [rule('email', { applies_to: 'input' }), rule('phone', { applies_to: 'output' }), rule('iban')];
    await add({ rules });

    const { input, output } = effective() ?? {};

    expect(input?.rules.map(({ kind }) => kind)).toEqual(['email', 'iban']);
    expect(output?.rules.map(({ kind }) => kind)).toEqual(['phone', 'iban']);
    expect(output?.matcher.scan().write('x').text).toBeDefined();
  });

  it('is nothing for a direction to which no rule applies', async () => {
    await add({ rules: [rule('email', { applies_to: 'output' })] });

    expect(effective()).toMatchObject({ input: undefined, output: { blocksUnreadable: true } });
  });

  it('blocks what cannot be read where any policy of the direction says so', async () => {
    await add({ rules: [rule('email')], unreadable: 'pass' });
    const before = effective();
    await add({ rules: [rule('email', { applies_to: 'output' })], unreadable: 'block' });
    const after = effective();

    expect([before?.input?.blocksUnreadable, before?.output?.blocksUnreadable]).toEqual([false, false]);
    expect([after?.input?.blocksUnreadable, after?.output?.blocksUnreadable]).toEqual([false, true]);
  });

  it('is compiled once, and again when it has changed', async () => {
    const id = await add();
    const before = effective();
    await add({ tenant_id: await addTenant(platform) });
    const same = effective();
    await platform.request('PATCH', `${POLICIES}/${id}`, { token: sysadmin, body: { priority: 1 } });

    expect(same).toBe(before);
    expect(effective()).not.toBe(before);
  });

  it('is compiled once for both directions where they have the same rules', async () => {
    await add({ rules: [rule('email'), rule('phone')] });
    const same = effective();
    await add({ rules: [rule('iban', { applies_to: 'input' })], tenant_id: tenant.id });
    const other = effective();

    expect(same?.input?.matcher).toBe(same?.output?.matcher);
    expect(other?.input?.matcher).not.toBe(other?.output?.matcher);
  });

  it('is not there any more when the policy is deleted', async () => {
    const id = await add();

    await platform.request('DELETE', `${POLICIES}/${id}`, { token: sysadmin });

    expect(effective()).toBeUndefined();
  });

  it('is shared by the tenants that have no policy of their own', async () => {
    await add();
    const [one, other] = [await addTenant(platform), await addTenant(platform)];

    expect(effective(one)).toBe(effective(other));
  });

  it('is refused where a policy cannot be compiled any more, until that is disabled', async () => {
    const id = await add({ tenant_id: tenant.id });
    await breakPolicy(id);
    const elsewhere = effective(await addTenant(platform));

    expect(() => effective()).toThrow(expect.objectContaining({ status: 503 }));
    expect(() => effective()).toThrow(expect.objectContaining({ status: 503 }));
    expect(elsewhere).toBeUndefined();
    const lines = platform.logLines.filter((line) => line.includes(id) && line.includes('cannot be compiled'));
    expect(lines).toHaveLength(1);
    expect(platform.logLines.join('\n')).not.toContain('secret-pattern');
    const body = { enabled: false };
    expect((await platform.request('PATCH', `${POLICIES}/${id}`, { token: sysadmin, body })).status).toBe(200);
    expect(effective()).toBeUndefined();
  });

  it.each([
    ['no rules', "rules = '[]'"],
    ['rules that are none', "rules = '{}'"],
    ['a direction that there is not', `rules = jsonb_set(rules, '{0,appliesTo}', '"all"')`],
    ['an action that there is not', `rules = jsonb_set(rules, '{0,action}', '"hide"')`],
    ['a kind that there is not', `rules = jsonb_set(rules, '{0,kind}', '"name"')`],
    ['neither block nor pass', "unreadable = 'maybe'"],
  ])('is refused where somebody has written into the database: %s', async (_what, change) => {
    const id = await add();
    await platform.query(`UPDATE sanitizer_policies SET ${change}, revision = revision + 1 WHERE id = $1`, [id]);
    await add({ tenant_id: await addTenant(platform) });
    // It could not be listed to be deleted.
    await platform.query('DELETE FROM sanitizer_policies WHERE id = $1', [id]);

    expect(() => effective()).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('survives a restart', async () => {
    const id = await add();

    await platform.restart();

    expect(effective()?.input?.rules).toEqual([{ kind: 'email', action: 'mask', policyId: id }]);
  });

  async function start(): Promise<void> {
    platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    sysadmin = (await platform.login()).access_token;
    tenant = await addStaffedTenant(platform);
  }

  async function add(members: object = {}): Promise<string> {
    const { status, body } = await addSanitizerPolicy(platform, sysadmin, members);
    expect(status).toBe(201);
    return body.id;
  }

  function effective(tenantId = tenant.id) {
    return platform.app.ports.sanitizerPolicies.effectiveFor(tenantId);
  }

  /** As when a later version of what looks for it does not understand it. */
  async function breakPolicy(id: string): Promise<void> {
    const rules = [{ kind: 'regex', action: 'mask', appliesTo: 'both', pattern: '(secret-pattern' }];
    const sql = 'UPDATE sanitizer_policies SET rules = $2, revision = revision + 1 WHERE id = $1';
    await platform.query(sql, [id, JSON.stringify(rules)]);
    await platform.restart();
  }
});

function rule(kind: string, members: object = {}) {
  return { kind, action: 'mask', ...members };
}
