import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, PASSWORD } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';

const LOGS = '/v1/admin/audit-logs';

describe('the audit log', () => {
  const platform = usePlatform();
  const other = useTenant(platform);
  let [token, sysadmin]: [string, Client] = [] as never;
  let admin: SignedInUser;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
    sysadmin = platform.as(token);
    admin = await addSignedInAdmin(platform);
  });

  it('tells who did what, when and from where', async () => {
    const headers = { 'x-request-id': 'my-request', 'user-agent': 'Probe/2.0' };
    const body = { name: 'Robot', scopes: ['models:read'] };
    const made = await platform.as(admin.token).post('/v1/api-tokens', body, { headers });

    const [entry] = await entries(`?action=api_token.create&target=${made.body.id}`);

    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_\w{26}$/),
      object: 'audit.entry',
      sequence: expect.any(Number),
      tenant_id: admin.tenantId,
      action: 'api_token.create',
      actor: { type: 'user', id: admin.id },
      target: { type: 'api_token', id: made.body.id },
      outcome: 'success',
      reason: null,
      ip: '127.0.0.1',
      user_agent: 'Probe/2.0',
      request_id: 'my-request',
      server_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: expect.any(String),
    });
  });

  it('has sign-ins that fail: of an account in its chain, of nobody in that of the platform', async () => {
    const signIn = (email: string, password: string) =>
      platform.request('POST', '/v1/auth/login', { body: { email, password } });
    await signIn(other.user.email, 'not the password at all');
    await signIn('nobody@nowhere.test', PASSWORD);

    const [known] = await entries(`?action=user.sign_in&outcome=failure&target=${other.user.id}`);
    const [unknown] = await entries('?action=user.sign_in&outcome=failure&tenant_id=platform');

    expect(known).toMatchObject({ tenant_id: other.id, actor: { type: 'user', id: other.user.id } });
    expect(unknown).toMatchObject({
      tenant_id: null,
      actor: { type: 'unknown', id: expect.stringMatching(/^[\w-]{43}$/) },
    });
    expect(JSON.stringify(unknown)).not.toContain('nobody');
  });

  it('counts what the throttle refuses, and tells the first of a window', async () => {
    const body = { email: 'guessed@nowhere.test', password: PASSWORD };
    for (let index = 0; index < 15; index += 1) await platform.request('POST', '/v1/auth/login', { body });

    const refused = await entries('?action=user.sign_in&outcome=denied');
    const [counted] = await platform.query<{ count: number }>(
      "SELECT count FROM audit_refusals WHERE outcome = 'denied'",
    );
    await platform.query('UPDATE audit_refusals SET ends_at = now()');
    const both = await eventually('the window is recorded', 20, async () => {
      const found = await sysadmin.get(`${LOGS}?action=user.sign_in&outcome=denied`);
      return found.body.data.length > 1 && found.body.data;
    });

    expect(refused).toMatchObject([{ reason: 'too many failed sign-ins' }]);
    expect(counted?.count).toBe(5);
    expect(both[0]).toMatchObject({ reason: expect.stringContaining('4 more') });
  });

  it('shows administrators the chain of their tenant, and no line of another', async () => {
    const ofTenant = await platform.as(other.admin.token).get(`${LOGS}?limit=100`);
    const refused = [
      await platform.as(other.admin.token).get(`${LOGS}?tenant_id=${admin.tenantId}`),
      await platform.as(other.admin.token).get(`${LOGS}?tenant_id=platform`),
      await platform.as(other.user.token).get(LOGS),
    ];

    expect(ofTenant.body.data.length).toBeGreaterThan(0);
    expect(new Set(ofTenant.body.data.map(({ tenant_id }: { tenant_id: string }) => tenant_id))).toEqual(
      new Set([other.id]),
    );
    expect(refused.map(({ status }) => status)).toEqual([404, 403, 403]);
  });

  it('has an entry for whoever has read it', async () => {
    await platform.as(other.admin.token).get(LOGS);

    const [entry] = await entries(`?action=audit_log.read&actor=${other.admin.id}`);

    expect(entry).toMatchObject({ tenant_id: other.id, actor: { type: 'user', id: other.admin.id } });
  });

  it.each([
    ['?outcome=nonsense', 'outcome'],
    ['?from=yesterday', 'from'],
    ['?limit=0', 'limit'],
    ['?after=nonsense', 'after'],
  ])('is not asked %s', async (query, param) => {
    const { status, body } = await sysadmin.get(`${LOGS}${query}`);

    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('exports what fits, a line each, and only of the own tenant', async () => {
    const probe = await AuditChainProbe.open(platform, other.id, token);
    await probe.add(3);
    const query = `?format=ndjson&action=thing.change`;

    const response = await platform.send('GET', `${LOGS}${query}`, { token: other.admin.token });
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-logs.ndjson"');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      tenant_id: other.id,
      commitments: { ip: { salt: expect.any(String) }, request_id: {} },
    });
  });

  it('exports tables whose cells are no formulas', async () => {
    const probe = await AuditChainProbe.open(platform, other.id, token);
    await probe.add(1, { action: 'thing.formula', reason: '=HYPERLINK("https://evil.test")' });

    const query = '?format=csv&action=thing.formula';
    const response = await platform.send('GET', `${LOGS}${query}`, { token: other.admin.token });
    const [head, row] = (await response.text()).split('\n');

    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(head).toMatch(/^id,sequence,tenant_id,created_at,action,/);
    expect(row).toContain('"\'=HYPERLINK(""https://evil.test"")"');
  });

  async function entries(query: string): Promise<AnyEntry[]> {
    return eventually(`entries for ${query}`, 10, async () => {
      const { body } = await sysadmin.get(`${LOGS}${query}`);
      return body.data.length > 0 && body.data;
    });
  }
});

type AnyEntry = Record<string, unknown>;
