import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../../src/platform/telemetry/log.js';
import { SanitizerPolicies } from '../../../src/sanitizer/policies/sanitizer-policies.js';
import { decidingRule } from '../../../src/sanitizer/replacement.js';
import { addStaffedTenant, addTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addSanitizerPolicy, deleteSanitizerPolicies, POLICIES } from '../../support/builders/sanitizer-policy.js';

describe('what holds for the calls of a tenant', () => {
  let platform: Platform;
  let sysadmin: string;
  let tenant: StaffedTenant;
  let policies: SanitizerPolicies;
  const logLines: string[] = [];

  beforeAll(start);
  afterAll(() => platform.close());
  afterEach(() => deleteSanitizerPolicies(platform, sysadmin));

  it('is nothing where no policy is enabled', async () => {
    await add({ enabled: false });
    await add({ tenant_id: await addTenant(platform) });

    expect(await effective()).toBeUndefined();
  });

  it('are the policies for everybody before its own, each by priority and then by age', async () => {
    await add({ rules: [rule('email')], tenant_id: tenant.id });
    await add({ rules: [rule('credit_card')], tenant_id: tenant.id });
    await add({ rules: [rule('ip'), rule('iban')], priority: -1 });
    await add({ rules: [rule('phone')] });
    await add({ rules: [rule('person_id', { action: 'block' })], priority: 1, tenant_id: tenant.id });

    expect((await effective())?.input?.rules).toEqual([
      { kind: 'phone', action: 'mask' },
      { kind: 'ip', action: 'mask' },
      { kind: 'iban', action: 'mask' },
      { kind: 'person_id', action: 'block' },
      { kind: 'email', action: 'mask' },
      { kind: 'credit_card', action: 'mask' },
    ]);
  });

  it('is decided by a policy for everybody, whatever the priority of one of its own', async () => {
    const weaker = rule('email', { action: 'pseudonymize' });
    await add({ rules: [weaker], priority: 1_000, tenant_id: tenant.id });
    await add({ priority: -1_000 });

    const rules = (await effective())?.input?.rules ?? [];

    expect(decidingRule(rules)).toMatchObject({ kind: 'email', action: 'mask' });
  });

  it('has for each direction the rules that apply to it', async () => {
    const rules = [rule('email', { applies_to: 'input' }), rule('phone', { applies_to: 'output' }), rule('iban')];
    await add({ rules });

    const { input, output } = (await effective()) ?? {};

    expect(input?.rules.map(({ kind }) => kind)).toEqual(['email', 'iban']);
    expect(output?.rules.map(({ kind }) => kind)).toEqual(['phone', 'iban']);
    expect(output?.matcher.scan().write('x').text).toBeDefined();
  });

  it('is nothing for a direction to which no rule applies', async () => {
    await add({ rules: [rule('email', { applies_to: 'output' })] });

    expect(await effective()).toMatchObject({ input: undefined, output: { blocksUnreadable: true } });
  });

  it('blocks what cannot be read where any policy of the direction says so', async () => {
    await add({ rules: [rule('email')], unreadable: 'pass' });
    const before = await effective();
    await add({ rules: [rule('email', { applies_to: 'output' })], unreadable: 'block' });
    const after = await effective();

    expect([before?.input?.blocksUnreadable, before?.output?.blocksUnreadable]).toEqual([false, false]);
    expect([after?.input?.blocksUnreadable, after?.output?.blocksUnreadable]).toEqual([false, true]);
  });

  it('is compiled once, and again when it has changed', async () => {
    const id = await add();
    const before = await effective();
    await add({ tenant_id: await addTenant(platform) });
    const same = await effective();
    await platform.request('PATCH', `${POLICIES}/${id}`, { token: sysadmin, body: { priority: 1 } });

    expect(same).toBe(before);
    expect(await effective()).not.toBe(before);
  });

  it('is compiled once for both directions where they have the same rules', async () => {
    await add({ rules: [rule('email'), rule('phone')] });
    const same = await effective();
    await add({ rules: [rule('iban', { applies_to: 'input' })], tenant_id: tenant.id });
    const other = await effective();

    expect(same?.input?.matcher).toBe(same?.output?.matcher);
    expect(other?.input?.matcher).not.toBe(other?.output?.matcher);
  });

  it('is not there any more when the policy is deleted', async () => {
    const id = await add();

    await platform.request('DELETE', `${POLICIES}/${id}`, { token: sysadmin });

    expect(await effective()).toBeUndefined();
  });

  it('is shared by the tenants that have no policy of their own', async () => {
    await add();
    const [one, other] = [await addTenant(platform), await addTenant(platform)];

    expect(await effective(one)).toBe(await effective(other));
  });

  it('is refused where a policy cannot be compiled any more, until that is disabled', async () => {
    const id = await add({ tenant_id: tenant.id });
    await breakPolicy(id);
    const elsewhere = await effective(await addTenant(platform));

    await expect(effective()).rejects.toMatchObject({ status: 503 });
    await expect(effective()).rejects.toMatchObject({ status: 503 });
    expect(elsewhere).toBeUndefined();
    const lines = logLines.filter((line) => line.includes(id) && line.includes('cannot be compiled'));
    expect(lines).toHaveLength(1);
    expect(logLines.join('\n')).not.toContain('secret-pattern');
    const body = { enabled: false };
    expect((await platform.request('PATCH', `${POLICIES}/${id}`, { token: sysadmin, body })).status).toBe(200);
    expect(await effective()).toBeUndefined();
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

    const refusal = await effective().catch((error: unknown) => error);

    expect(refusal).toMatchObject({ status: 503 });
    // It could not be listed to be deleted.
    await platform.query('DELETE FROM sanitizer_policies WHERE id = $1', [id]);
  });

  it('survives a restart', async () => {
    await add();

    await platform.restart();
    policies = newPolicies();

    expect((await effective())?.input?.rules).toEqual([{ kind: 'email', action: 'mask' }]);
  });

  async function start(): Promise<void> {
    platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    sysadmin = (await platform.login()).access_token;
    tenant = await addStaffedTenant(platform);
    policies = newPolicies();
  }

  function newPolicies(): SanitizerPolicies {
    const log = createLog('debug', { write: (line: string) => void logLines.push(line) });
    return new SanitizerPolicies(platform.app.database.dataSource, log);
  }

  async function add(members: object = {}): Promise<string> {
    const { status, body } = await addSanitizerPolicy(platform, sysadmin, members);
    expect(status).toBe(201);
    return body.id;
  }

  /** As a process finds it that has just read the policies. */
  async function effective(tenantId = tenant.id) {
    await policies.refresh();
    return policies.effectiveFor(tenantId);
  }

  /** As when a later version of what looks for it does not understand it. */
  async function breakPolicy(id: string): Promise<void> {
    const rules = [{ kind: 'regex', action: 'mask', appliesTo: 'both', pattern: '(secret-pattern' }];
    const sql = 'UPDATE sanitizer_policies SET rules = $2, revision = revision + 1 WHERE id = $1';
    await platform.query(sql, [id, JSON.stringify(rules)]);
  }
});

function rule(kind: string, members: object = {}) {
  return { kind, action: 'mask', ...members };
}
