import { beforeAll, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { eventually } from '../../support/probes/eventually.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { onPostgres } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the sealer of the audit log', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('seals nothing of a transaction that failed', async () => {
    const probe = await newChain();
    const event = { tenantId: probe.chain, action: 'thing.never' } as const;

    const failed = platform.app.database.dataSource.transaction(async (tx) => {
      await probe.recorder.record(tx, { type: 'system', id: null }, event);
      throw new Error('after all not');
    });
    await expect(failed).rejects.toThrow('after all not');
    await probe.add(1);

    expect(await probe.sequences()).toEqual([1]);
  });

  it('tells whoever listens, those of a tenant of its chain alone', async () => {
    const [own, other] = [await newChain(), await newChain()];
    const query = `subscription { auditLogAdded(tenantId: "${own.chain}") { sequence tenantId action } }`;
    const heard: unknown[] = [];
    const listening = (async () => {
      for await (const { data } of sseClient({ url: platform.url, token }).iterate<AnyEntry>({ query })) {
        if (heard.push(data?.auditLogAdded) === 3) return;
      }
    })();
    await eventually('it listens', 10, async () => (await own.sequences()).length > 0);

    await other.add(2);
    await own.add(2);
    await listening;

    expect(new Set(heard.map((entry) => (entry as AnyEntry['auditLogAdded']).tenantId))).toEqual(new Set([own.chain]));
  });

  it('signs a chain whenever a thousand entries are not signed', async () => {
    const probe = await newChain();

    await probe.addOld(2_100, 0);
    const rows = await platform.query<{ sequence: string }>(
      'SELECT sequence FROM audit_checkpoints WHERE chain = $1 ORDER BY sequence',
      [probe.chain],
    );

    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect((await probe.verify()).body).toMatchObject({ valid: true, entries: 2_100 });
  });

  it('is down where it stands still, and says how much waits', async () => {
    await platform.query('ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (sequence < 0) NOT VALID');
    const probe = await newChain();
    await platform.query(
      `INSERT INTO audit_records (id, tenant_id, action, actor_type, outcome, salts, created_at, mac)
       VALUES ('aud_late', $1, 'thing.late', 'system', 'success', $2, now() - interval '1 minute', '')`,
      [probe.chain, Buffer.alloc(80)],
    );

    const { body } = await eventually('it is down', 20, async () => {
      const health = await platform.request('GET', '/health');
      return health.body.checks.audit === 'down' && health;
    });
    const unsealed = (await probe.verify()).body.unsealed;
    await platform.query('ALTER TABLE audit_entries DROP CONSTRAINT no_more');
    await eventually('it seals again', 10, async () => (await probe.sequences()).length > 0);

    expect([body.status, body.checks.audit, unsealed]).toEqual(['degraded', 'down', 1]);
  });

  onPostgres.it('is one, whatever the number of processes', async () => {
    const replica = await platform.startReplica();
    const probe = await newChain();

    await Promise.all(Array.from({ length: 40 }, () => probe.recorder.recordAlone(NOBODY, eventOf(probe.chain))));
    await eventually('all is sealed', 10, async () => (await probe.sequences()).length === 40);
    await replica.close();

    expect(await probe.sequences()).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect((await probe.verify()).body.valid).toBe(true);
  });

  async function newChain(): Promise<AuditChainProbe> {
    return AuditChainProbe.open(platform, await addTenant(platform), token);
  }
});

interface AnyEntry extends Record<string, unknown> {
  readonly auditLogAdded: { readonly tenantId: string };
}

const NOBODY = { type: 'system', id: null } as const;

function eventOf(tenantId: string) {
  return { tenantId, action: 'thing.change' } as const;
}
