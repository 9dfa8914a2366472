import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startForging } from '../../support/probes/audit-tables.js';
import type { AuditTables } from '../../support/probes/audit-tables.js';
import type { Platform } from '../../support/servers/platform.js';

describe('an entry of the audit log that somebody without the secret key has forged', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let [probe, tables]: [AuditChainProbe, AuditTables] = [] as never;
  beforeAll(async () => void ([platform, token, tables] = await startForging()));
  afterAll(() => platform.close());
  beforeEach(async () => {
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.addOld(3, 0);
    await probe.add(7);
    await tables.save();
  });
  afterEach(() => tables.restore());

  it.each([
    ['the value', 'salts', 5],
    ['the value, without its salt', "decode(repeat('00', 80), 'hex')", 5],
  ])('is found where it seems to be erased, and another person took %s', async (_what, salts, sequence) => {
    const commitment = await commitmentOf('actor_id', sequence);
    await platform.query(
      `UPDATE audit_entries SET erased = $3, actor_id = 'usr_victim', salts = ${salts} WHERE chain = $1 AND sequence = $2`,
      [probe.chain, sequence, JSON.stringify({ actor_id: commitment })],
    );

    expect(await problems()).toEqual([problem('edited', sequence, await probe.idAt(sequence))]);
  });

  it('is found where it got an address that it never had', async () => {
    await platform.query(
      `UPDATE audit_entries SET erased = '{"ip": null}', ip = '192.0.2.66' WHERE chain = $1 AND sequence = 2`,
      [probe.chain],
    );

    expect(await problems()).toEqual([problem('edited', 2, await probe.idAt(2))]);
  });

  it.each(["'infinity'", "'-infinity'", "'290000-01-01'"])('is found where its time is %s', async (time) => {
    await tables.without('audit_entries', 'audit_entries_created_at', async () => {
      await platform.query(`UPDATE audit_entries SET created_at = ${time} WHERE chain = $1 AND sequence = 5`, [
        probe.chain,
      ]);

      expect(await problems()).toEqual([problem('edited', 5, await probe.idAt(5))]);
    });
  });

  it('is found where its salts are none', async () => {
    await tables.without('audit_entries', 'audit_entries_salts', async () => {
      await platform.query("UPDATE audit_entries SET salts = '' WHERE chain = $1 AND sequence = 5", [probe.chain]);

      expect(await problems()).toEqual([problem('edited', 5, await probe.idAt(5))]);
    });
  });

  it.each([0, -7])('has no number that none can have, and is found with it all the same: %d', async (sequence) => {
    await expect(copyTo(String(sequence))).rejects.toThrow('audit_entries_sequence');

    await tables.without('audit_entries', 'audit_entries_sequence', async () => {
      await copyTo(String(sequence));

      expect(await problems()).toEqual([problem('inserted', sequence, 'aud_forged')]);
    });
  });

  it.each(['9007199254740991', '9223372036854775807'])('keeps no other from being sealed at %s', async (sequence) => {
    await tables.without('audit_entries', 'audit_entries_sequence', async () => {
      await copyTo(sequence);
      await probe.add(2);

      const found = await problems();

      expect(found).toContainEqual(problem('inserted', Number(sequence), 'aud_forged'));
      expect((await probe.sequences()).slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });
  });

  async function problems(): Promise<unknown[]> {
    const { status, body } = await probe.verify();
    expect([status, body.valid]).toEqual([200, false]);
    return body.problems;
  }

  function problem(kind: string, sequence: number, id: string | null) {
    return { id, tenant_id: probe.chain, sequence, problem: kind };
  }

  function copyTo(sequence: string): Promise<unknown> {
    return platform.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       SELECT chain, $2, 'aud_forged', action, actor_type, outcome, salts, hash, mac, created_at
       FROM audit_entries WHERE chain = $1 AND sequence = 5`,
      [probe.chain, sequence],
    );
  }

  /** As an export has it. */
  async function commitmentOf(column: string, sequence: number): Promise<string> {
    const path = `/v1/admin/audit-logs?format=ndjson&tenant_id=${probe.chain}`;
    const lines = (await (await platform.send('GET', path, { token })).text()).trim().split('\n');
    return JSON.parse(lines[sequence - 1] ?? '').commitments[column].commitment;
  }
});
