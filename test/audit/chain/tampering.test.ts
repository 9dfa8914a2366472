import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

describe('the chain of the audit log', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let probe: AuditChainProbe;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(10);
  });

  it('is whole as it was sealed', async () => {
    expect((await probe.verify()).body).toEqual({
      valid: true,
      entries: 10,
      unsealed: expect.any(Number),
      problems: [],
    });
  });

  it.each([
    ['an action', "action = 'thing.delete'"],
    ['an outcome', "outcome = 'failure'"],
    ['a reason', "reason = 'because'"],
    ['an address', "ip = '192.0.2.8'"],
    ['who acted', "actor_id = 'usr_other'"],
    ['a time', "created_at = created_at + interval '1 second'"],
    ['a salt', "salts = decode(repeat('00', 80), 'hex')"],
    ['what is erased', `erased = '{"ip": "nothing"}'`],
  ])('shows that %s was edited', async (_what, change) => {
    await platform.query(`UPDATE audit_entries SET ${change} WHERE chain = $1 AND sequence = 5`, [probe.chain]);

    expect(await problems()).toEqual([problem('edited', 5, await probe.idAt(5))]);
  });

  it('shows that an entry was deleted', async () => {
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence = 5', [probe.chain]);

    expect(await problems()).toEqual([problem('deleted', 5, null)]);
  });

  it('shows that an entry was deleted, and those behind it were renumbered', async () => {
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence = 5', [probe.chain]);
    await renumber(-1, 5);

    expect((await problems())[0]).toEqual(problem('deleted', 5, null));
  });

  it('shows that an entry was put between others', async () => {
    await renumber(1, 5);
    await platform.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, previous_hash, hash, mac, created_at)
       SELECT chain, 6, 'aud_forged', action, actor_type, outcome, salts, hash, sha256('forged'), mac, created_at
       FROM audit_entries WHERE chain = $1 AND sequence = 5`,
      [probe.chain],
    );

    const found = await problems();

    expect(found[0]).toEqual(problem('inserted', 6, 'aud_forged'));
    expect(found.filter(({ id }) => id === 'aud_forged')).toHaveLength(1);
  });

  it('shows that two entries were exchanged', async () => {
    const ids = [await probe.idAt(5), await probe.idAt(6)];
    await platform.query(
      `UPDATE audit_entries SET sequence = CASE sequence WHEN 5 THEN 1005 ELSE 1006 END WHERE chain = $1 AND sequence IN (5, 6)`,
      [probe.chain],
    );
    await platform.query(
      `UPDATE audit_entries SET sequence = CASE sequence WHEN 1005 THEN 6 ELSE 5 END WHERE chain = $1 AND sequence > 1000`,
      [probe.chain],
    );

    expect((await problems()).slice(0, 2)).toEqual([problem('reordered', 5, ids[1]), problem('reordered', 6, ids[0])]);
  });

  it('shows that its end was cut off', async () => {
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence > 8', [probe.chain]);

    expect(await problems()).toEqual([problem('cut', 9, null)]);
  });

  it('shows to whoever has kept a checkpoint that its end was cut off with all that tells of it', async () => {
    const { token: checkpoint } = (await probe.sign()).body;
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence > 8', [probe.chain]);
    await platform.query('DELETE FROM audit_checkpoints WHERE chain = $1', [probe.chain]);
    await platform.query(
      `UPDATE audit_chains c SET sequence = 8, hash = e.hash FROM audit_entries e
       WHERE c.chain = $1 AND e.chain = $1 AND e.sequence = 8`,
      [probe.chain],
    );

    const { body } = await probe.verify({ checkpoint });

    expect(body.problems).toContainEqual(problem('cut', 11, null));
  });

  it('shows to whoever has kept a checkpoint that the whole log was emptied', async () => {
    const { token: checkpoint } = (await probe.sign()).body;
    for (const table of ['audit_entries', 'audit_checkpoints', 'audit_chains']) {
      await platform.query(`DELETE FROM ${table} WHERE chain = $1`, [probe.chain]);
    }

    const { body } = await probe.verify({ checkpoint });

    expect(body.problems).toContainEqual(problem('cut', 11, null));
  });

  async function problems(): Promise<{ id: string | null; sequence: number; problem: string }[]> {
    const { body } = await probe.verify();
    expect(body.valid).toBe(false);
    return body.problems;
  }

  function problem(kind: string, sequence: number, id: string | null | undefined) {
    return { id, tenant_id: probe.chain, sequence, problem: kind };
  }

  async function renumber(by: number, from: number): Promise<void> {
    const away = 'UPDATE audit_entries SET sequence = sequence + 1000 WHERE chain = $1 AND sequence > $2';
    await platform.query(away, [probe.chain, from]);
    const back = 'UPDATE audit_entries SET sequence = sequence - 1000 + $2 WHERE chain = $1 AND sequence > 1000';
    await platform.query(back, [probe.chain, by]);
  }
});
