import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startForging } from '../../support/probes/audit-tables.js';
import type { AuditTables } from '../../support/probes/audit-tables.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Platform } from '../../support/servers/platform.js';

describe('a record that waits to be sealed', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let [probe, tables]: [AuditChainProbe, AuditTables] = [] as never;
  beforeAll(async () => void ([platform, token, tables] = await startForging()));
  afterAll(() => platform.close());
  beforeEach(async () => {
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(3);
    await tables.save();
  });
  afterEach(() => tables.restore());

  it.each([
    ["actor_id = 'usr_victim'"],
    ["action = 'thing.delete'"],
    ["created_at = created_at + interval '5 seconds'"],
    ["salts = decode(repeat('ab', 80), 'hex')"],
    ["server_request_id = 'r-2'"],
  ])('is found where somebody without the secret key has set %s, before and after it is sealed', async (change) => {
    const waiting = await whileNothingIsSealed(async () => {
      await probe.recorder.recordAlone({ type: 'user', id: 'usr_probe' }, event());
      await platform.query(`UPDATE audit_records SET ${change} WHERE tenant_id = $1`, [probe.chain]);
      return problems();
    });
    const id = await idOfSealed(4);

    expect(waiting).toEqual([problem(0, id)]);
    expect(await problems()).toEqual([problem(4, id)]);
  });

  it('is found where somebody without the secret key has put it there', async () => {
    await insert('aud_forged', "now(), decode(repeat('ab', 80), 'hex')");

    expect(await idOfSealed(4)).toBe('aud_forged');
    expect(await problems()).toEqual([problem(4, 'aud_forged')]);
  });

  it('is found, and holds nobody up, where it has the id of an entry', async () => {
    await insert(await probe.idAt(2), "now(), decode(repeat('ab', 80), 'hex')");
    await probe.add(2);

    expect(await probe.sequences()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await problems()).toEqual([problem(4, await probe.idAt(4))]);
  });

  it.each([
    ['audit_records_created_at', "'infinity', decode(repeat('ab', 80), 'hex')"],
    ['audit_records_created_at', "'290000-01-01', decode(repeat('ab', 80), 'hex')"],
    ['audit_records_salts', "now(), ''"],
  ])('is refused by %s, and holds nobody up without it', async (constraint, values) => {
    await expect(insert('aud_forged', values)).rejects.toThrow(constraint);

    await tables.without('audit_records', constraint, async () => {
      await insert('aud_forged', values);
      await probe.add(2);

      expect(await problems()).toEqual([problem(4, 'aud_forged')]);
    });
  });

  async function problems(): Promise<unknown[]> {
    const { body } = await probe.verify();
    expect(body.valid).toBe(false);
    return body.problems;
  }

  function problem(sequence: number, id: string) {
    return { id, tenant_id: probe.chain, sequence, problem: 'edited' };
  }

  function event() {
    return { tenantId: probe.chain, action: 'thing.change' } as const;
  }

  function insert(id: string, values: string): Promise<unknown> {
    return platform.query(
      `INSERT INTO audit_records (id, tenant_id, action, actor_type, outcome, created_at, salts, mac)
       SELECT $1, $2, 'thing.change', 'system', 'success', ${values}, mac
       FROM audit_entries WHERE chain = $2 AND sequence = 1`,
      [id, probe.chain],
    );
  }

  async function whileNothingIsSealed<T>(work: () => Promise<T>): Promise<T> {
    await platform.query('ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (sequence < 0) NOT VALID');
    try {
      return await work();
    } finally {
      await platform.query('ALTER TABLE audit_entries DROP CONSTRAINT no_more');
    }
  }

  function idOfSealed(sequence: number): Promise<string> {
    return eventually('it is sealed', 10, async () => (await probe.idAt(sequence)) || undefined);
  }
});
