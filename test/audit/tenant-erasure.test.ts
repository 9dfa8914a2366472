import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { eraseTenantFromAudit } from '../../src/audit/audit-erasure.js';
import { readDeletedEnds } from '../../src/audit/chain/deleted-chain.js';
import { SYSTEM } from '../../src/platform/audit/audit-event.js';
import { addTenant } from '../support/builders/accounts.js';
import { awaitHealth } from '../support/probes/awaited-health.js';
import { AuditChainProbe } from '../support/probes/audit-chain.js';
import { auditRows } from '../support/probes/audit-rows.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('the erasure of a chain of the audit log', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let probe: AuditChainProbe;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  beforeEach(async () => void (probe = await AuditChainProbe.open(platform, await addTenant(platform), token)));

  it('ends between its parts, goes on later, and is recorded once', async () => {
    await probe.addOld(5_200, 1);

    await erase(2);
    const left = await probe.length();
    const meanwhile = await verify();
    await erase();

    expect(left).toBe(200);
    expect(meanwhile).toMatchObject({ valid: true, problems: [] });
    expect([await probe.length(), await verify()]).toMatchObject([0, { valid: true, problems: [] }]);
    expect(await deletions()).toEqual([expect.stringContaining('with number 5200 and')]);
  });

  it('takes what comes meanwhile as well, and calls nothing broken', async () => {
    await probe.addOld(10, 1);
    await erase(1);
    await probe.add(1);

    const { body: health } = await awaitHealth(platform, ({ checks }) => checks.audit === 'ok');
    await erase();

    expect(health.checks.audit).toBe('ok');
    expect([await probe.length(), await verify()]).toMatchObject([0, { valid: true, problems: [] }]);
    expect(await deletions()).toEqual([
      expect.stringContaining('with number 10 and'),
      expect.stringContaining('with number 11 and'),
    ]);
  });

  it('leaves a checkpoint true that was kept, though a chain of late entries was deleted after it', async () => {
    await probe.addOld(5, 1);
    const checkpoint = await probe.signEnd();
    await erase();
    await probe.add(2);
    await erase();

    const { dataSource } = platform.app.database;
    const ends = await readDeletedEnds(dataSource, probe.secretBox, probe.chain);

    expect(ends.map(({ sequence }) => sequence)).toEqual([5, 2]);
    expect((await probe.verify({ checkpoint })).body).toMatchObject({ valid: true, problems: [] });
  });

  it.each([
    [2, 201],
    [3, 1],
  ])('is not taken for a hole, after %s of its parts, where something comes behind the end', async (parts, left) => {
    await probe.addOld(5_200, 1);

    await erase(parts, 1, () => probe.add(1));
    const [length, meanwhile] = [await probe.length(), await verify()];
    await erase();

    expect(length).toBe(left);
    expect(meanwhile).toMatchObject({ valid: true, problems: [] });
    expect([await probe.length(), await verify()]).toMatchObject([0, { valid: true, problems: [] }]);
  });

  it('is no excuse for a hole in what comes behind the end', async () => {
    await probe.addOld(5_200, 1);
    await erase(2, 1, () => probe.add(3));
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence = 5202', [probe.chain]);

    const { valid, problems } = await verify();
    await erase();

    expect(valid).toBe(false);
    expect(problems).toContainEqual({ id: null, tenant_id: probe.chain, sequence: 5202, problem: 'deleted' });
  });

  it('takes with its last part what has begun the chain anew', async () => {
    await probe.addOld(5, 1);

    await erase(Number.POSITIVE_INFINITY, 3, () => probe.add(1));

    expect([await probe.length(), await verify()]).toMatchObject([0, { valid: true, problems: [] }]);
  });

  it('tells of a chain that was broken that it was', async () => {
    await probe.addOld(5, 1);
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence = 5', [probe.chain]);

    await erase();
    await erase();
    const ends = await readDeletedEnds(platform.app.database.dataSource, probe.secretBox, probe.chain);

    expect(await deletions()).toEqual([expect.stringMatching(/number 5 and .*; it was broken behind number 5$/)]);
    expect(ends).toMatchObject([{ sequence: 5 }]);
  });

  it('knows where a chain ended from the words alone that are written then', async () => {
    const { recorder } = probe;
    const target = { type: 'tenant', id: probe.chain };
    const reason = `the chain ended with number 9 and the hash ${'0'.repeat(64)}; 3 more`;
    await recorder.recordAlone(SYSTEM, { tenantId: null, action: 'audit_log.delete', target, reason });

    const ends = await readDeletedEnds(platform.app.database.dataSource, probe.secretBox, probe.chain);

    expect(ends).toEqual([]);
  });

  it('is nothing wrong for a verification that has read the end, though something comes late', async () => {
    await probe.add(20);
    const eraseAndAdd = async (): Promise<void> => {
      await erase();
      await probe.add(1, { action: 'access.deny' });
    };

    const verified = await probe.verifyWhile('its end', eraseAndAdd);

    expect(verified.problems).toEqual([]);
    expect(await probe.sequences()).toEqual([1]);
  });

  it.each([
    ['the end', 'sequence > 1', { sequence: 2, problem: 'cut' }],
    ['the beginning', 'sequence < 5', { sequence: 1, problem: 'deleted' }],
  ])('is no excuse for what somebody else cuts off what came late: %s', async (_what, condition, problem) => {
    await probe.add(5);
    await erase();
    await probe.add(5, { action: 'access.deny' });
    await platform.query(`DELETE FROM audit_entries WHERE chain = $1 AND ${condition}`, [probe.chain]);

    const { valid, problems } = await verify();
    await platform.query('DELETE FROM audit_entries WHERE chain = $1', [probe.chain]);
    await platform.query('DELETE FROM audit_chains WHERE chain = $1', [probe.chain]);

    expect(valid).toBe(false);
    expect(problems).toContainEqual({ id: null, tenant_id: probe.chain, ...problem });
  });

  it('is refused for the chain of the platform', async () => {
    const erasing = { signal: new AbortController().signal, transaction: () => Promise.reject(new Error('begun')) };
    const { recorder: audit, secretBox } = probe;

    const refused = eraseTenantFromAudit('platform', erasing, { audit, secretBox });

    await expect(refused).rejects.toThrow('never deleted');
  });

  it('is no excuse for what somebody else puts into the chain that is gone', async () => {
    await probe.addOld(5, 1);
    await erase();
    await platform.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       VALUES ($1, 2, 'aud_forged', 'thing.change', 'system', 'success', $2, '', '', now())`,
      [probe.chain, Buffer.alloc(80)],
    );

    const { valid, problems } = await verify();
    await platform.query('DELETE FROM audit_entries WHERE chain = $1', [probe.chain]);

    expect(valid).toBe(false);
    expect(problems).toContainEqual({ id: 'aud_forged', tenant_id: probe.chain, sequence: 2, problem: 'edited' });
  });

  /**
   * @param parts how many transactions there are before it is ended; left out: all
   * @param meanwhile what is done after so many of them
   */
  async function erase(parts = Number.POSITIVE_INFINITY, after = 0, meanwhile = async () => {}): Promise<void> {
    const { dataSource } = platform.app.database;
    const ending = new AbortController();
    let done = 0;
    const transaction = async <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> => {
      const result = await dataSource.transaction(work);
      if ((done += 1) === parts) ending.abort(new Error('it is ended'));
      if (done === after) await meanwhile();
      return result;
    };
    const { recorder: audit, secretBox } = probe;
    const erasing = eraseTenantFromAudit(probe.chain, { signal: ending.signal, transaction }, { audit, secretBox });
    if (parts === Number.POSITIVE_INFINITY) await erasing;
    else await expect(erasing).rejects.toThrow('it is ended');
  }

  async function verify() {
    return (await platform.request('GET', '/v1/admin/audit-logs/verify', { token })).body;
  }

  async function deletions(): Promise<(string | null)[]> {
    const rows = await auditRows(platform, "action = 'audit_log.delete' AND target_id = $1", [probe.chain]);
    return rows.map(({ reason }) => reason);
  }
});
