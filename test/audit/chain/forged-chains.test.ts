import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startForging } from '../../support/probes/audit-tables.js';
import type { AuditTables } from '../../support/probes/audit-tables.js';
import type { Platform } from '../../support/servers/platform.js';

describe('a chain of the audit log that somebody without the secret key has forged', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let [probe, tables]: [AuditChainProbe, AuditTables] = [] as never;
  beforeAll(async () => void ([platform, token, tables] = await startForging()));
  afterAll(() => platform.close());
  beforeEach(async () => {
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(10);
    await tables.save();
  });
  afterEach(() => tables.restore());

  it('is found where its last entries were written anew', async () => {
    await change("action = 'thing.delete', actor_id = 'usr_victim'", 9);
    await tables.rehash(probe.chain, 9);

    expect(await problems()).toContainEqual(problem('edited', 9, await probe.idAt(9)));
  });

  it('is told of by its first bad entry before its end', async () => {
    await change("action = 'thing.delete'", 4);
    await moveEnd(10);

    expect((await problems()).slice(0, 2)).toEqual([
      problem('edited', 4, await probe.idAt(4)),
      problem('edited', 10, null),
    ]);
  });

  it('is found, and not signed, after the server has added to an end that was moved', async () => {
    await moveEnd(8, 'DELETE FROM audit_entries WHERE chain = $chain AND sequence > 8');
    await probe.add(1);

    expect(await problems()).toContainEqual(problem('edited', 8, null));
    expect((await probe.sign()).status).toBe(409);
    expect((await platform.request('GET', '/health')).body.checks.audit).toBe('degraded');
  });

  it('stays found when the end is put back that it had before', async () => {
    const [row] = await platform.query<Record<string, unknown>>('SELECT * FROM audit_chains WHERE chain = $1', [
      probe.chain,
    ]);
    await moveEnd(10);
    await probe.add(2);
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence > 10', [probe.chain]);
    await platform.query(
      'UPDATE audit_chains SET sequence = 10, hash = $2, broken_sequence = NULL, unsigned_since = $3, mac = $4 WHERE chain = $1',
      [probe.chain, row?.hash, row?.unsigned_since, row?.mac],
    );

    expect(await problems()).toContainEqual(problem('cut', 0, null));
  });

  it('is found, and not signed, where all of it was written anew', async () => {
    await change("outcome = 'denied', actor_id = 'usr_victim'", 3);
    await tables.rehash(probe.chain, 3);
    await moveEnd(10);
    await platform.query("UPDATE audit_chains SET unsigned_since = '2020-01-01' WHERE chain = $1", [probe.chain]);
    await probe.add(1);

    expect(await problems()).toContainEqual(problem('edited', 3, await probe.idAt(3)));
    expect(await platform.query('SELECT FROM audit_checkpoints WHERE chain = $1', [probe.chain])).toEqual([]);
  });

  it('is found where it was set back, with the end that it had then', async () => {
    const [row] = await platform.query<Record<string, unknown>>('SELECT * FROM audit_chains WHERE chain = $1', [
      probe.chain,
    ]);
    await probe.add(3);
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence > 10', [probe.chain]);
    await platform.query(
      'UPDATE audit_chains SET sequence = $2, hash = $3, unsigned_since = $4, mac = $5 WHERE chain = $1',
      [probe.chain, row?.sequence, row?.hash, row?.unsigned_since, row?.mac],
    );

    expect(await problems()).toEqual([problem('cut', 0, null)]);
  });

  it.each([
    ['with all that tells of it', ['audit_entries', 'audit_checkpoints', 'audit_chains'], ['cut', 0]],
    ['but for its entries', ['audit_chains'], ['edited', 10]],
  ] as const)('is found where it was deleted %s', async (_what, from, [kind, sequence]) => {
    await tables.write(...from.map((table) => `DELETE FROM ${table} WHERE chain = '${probe.chain}'`));

    expect(await problems()).toContainEqual(problem(kind, sequence, null));
  });

  it('is found where it was made from nothing', async () => {
    const chain = await addTenant(platform);
    await tables.write(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       SELECT '${chain}', sequence, 'aud_of_nobody', action, actor_type, outcome, salts, hash, mac, created_at
       FROM audit_entries WHERE chain = '${probe.chain}' AND sequence = 1`,
    );
    await tables.rehash(chain, 1);

    const { body } = await (await AuditChainProbe.open(platform, chain, token)).verify();

    expect(body.problems[0]).toEqual({ id: 'aud_of_nobody', tenant_id: chain, sequence: 1, problem: 'edited' });
  });

  it('is found where what all chains add up to is gone, and does not come back with the next entry', async () => {
    await tables.write('DELETE FROM audit_digests');
    await probe.add(1);

    expect(await problems()).toEqual([problem('cut', 0, null)]);
  });

  async function problems(): Promise<unknown[]> {
    const { body } = await probe.verify();
    expect(body.valid).toBe(false);
    return body.problems;
  }

  function problem(kind: string, sequence: number, id: string | null) {
    return { id, tenant_id: probe.chain, sequence, problem: kind };
  }

  async function change(columns: string, sequence: number): Promise<void> {
    await platform.query(`UPDATE audit_entries SET ${columns} WHERE chain = $1 AND sequence = $2`, [
      probe.chain,
      sequence,
    ]);
  }

  /** Writes an end down without its MAC, and that nothing is signed. */
  async function moveEnd(sequence: number, ...also: readonly string[]): Promise<void> {
    await tables.write(
      ...also.map((sql) => sql.replace('$chain', `'${probe.chain}'`)),
      `DELETE FROM audit_checkpoints WHERE chain = '${probe.chain}'`,
      `UPDATE audit_chains c SET sequence = ${sequence}, hash = e.hash, mac = '\\x00', signed_sequence = 0
       FROM audit_entries e WHERE c.chain = '${probe.chain}' AND e.chain = c.chain AND e.sequence = ${sequence}`,
    );
  }
});
