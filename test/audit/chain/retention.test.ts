import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckpointReader } from '../../../src/audit/domain.js';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

describe('the retention of the audit log', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let probe: AuditChainProbe;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  beforeEach(async () => void (probe = await newChain()));

  it('keeps nobody from sealing where nothing is old', async () => {
    const { dataSource } = platform.app.database;
    const watched = new Proxy(dataSource, {
      get: (target, name) => (name === 'transaction' ? () => Promise.reject(new Error()) : Reflect.get(target, name)),
    });

    await expect(probe.prune(100, watched)).resolves.toBeUndefined();
    await expect(probe.prune(30, watched)).rejects.toThrow();
  });

  it('ends a part of a chain with a checkpoint, so that what is left is whole', async () => {
    await probe.prune(30);
    await probe.add(1);
    await probe.seal(6);

    const { body } = await probe.verify();

    expect(await probe.sequences()).toEqual([7, 8, 9, 10, 11, 12]);
    expect(body).toMatchObject({ valid: true, entries: 6, problems: [] });
  });

  it('keeps the last entry, however old it is', async () => {
    await probe.prune(-1);

    expect((await probe.sequences())[0]).toBe(10);
    expect((await probe.verify()).body.valid).toBe(true);
  });

  it('is no excuse for what somebody else deletes', async () => {
    await probe.prune(30);
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence <= 8', [probe.chain]);

    const { body } = await probe.verify();

    expect(body.problems).toEqual([{ id: null, tenant_id: probe.chain, sequence: 1, problem: 'deleted' }]);
  });

  it('deletes nothing that somebody else has dated back', async () => {
    await platform.query("UPDATE audit_entries SET created_at = '2001-01-01' WHERE chain = $1", [probe.chain]);

    await probe.prune(30);

    expect(await probe.length()).toBe(10);
    expect((await probe.verify()).body.problems[0]).toMatchObject({ sequence: 1, problem: 'edited' });
  });

  it('ends where the chain is not what was sealed', async () => {
    await platform.query("UPDATE audit_entries SET reason = 'because' WHERE chain = $1 AND sequence = 4", [
      probe.chain,
    ]);

    await probe.prune(30);

    expect((await probe.sequences())[0]).toBe(4);
    expect((await probe.verify()).body.problems[0]).toMatchObject({ sequence: 4, problem: 'edited' });
  });

  it('is told from a deletion by somebody else, to whoever has kept a checkpoint of what it deleted', async () => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(3, 40);
    const checkpoint = await chain.signEnd();
    await chain.addOld(3, 40);
    await chain.add(4);
    await chain.prune(30);
    await chain.seal(5);

    const pruned = await chain.verify({ checkpoint });
    await platform.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence <= 8', [chain.chain]);
    const deleted = await chain.verify({ checkpoint });

    expect(pruned.body).toMatchObject({ valid: true, entries: 5, problems: [] });
    expect(deleted.body.problems[0]).toMatchObject({ id: null, sequence: 3, problem: 'deleted' });
  });

  it('goes on only behind a checkpoint of its own whose signature verifies', async () => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(3, 60);
    await chain.addOld(3, 40);
    await chain.add(1);
    await chain.prune(50);
    await chain.seal(5);
    await platform.query(
      "UPDATE audit_checkpoints SET token = regexp_replace(token, '[^.]+$', 'AAAA') WHERE chain = $1",
      [chain.chain],
    );

    await chain.prune(30);

    expect(await chain.sequences()).toEqual([4, 5, 6, 7, 8]);
  });

  it.each([
    ['some had been before', 50],
    ['none had been before', 100],
  ])('deletes entries while a verification reads them, which finds nothing wrong: %s', async (_what, days) => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(3, 60);
    await chain.addOld(3, 40);
    await chain.signEnd();
    await chain.add(1);
    await chain.prune(days);

    const verified = await chain.verifyWhile('its entries', () => chain.prune(30));

    expect(verified.problems).toEqual([]);
    expect((await chain.sequences())[0]).toBe(7);
  });

  it.each([
    ['its beginning', false],
    ['a checkpoint that was kept', true],
  ])('finds nothing wrong where all that it wanted to look at is deleted by then: from %s', async (_where, isKept) => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(5, 40);
    const kept = isKept ? new CheckpointReader(chain.secretBox).read(await chain.signEnd()) : undefined;
    await chain.addOld(5, 40);
    const prune = async (): Promise<void> => {
      await chain.add(1);
      await chain.prune(30);
    };

    const verified = await chain.verifyWhile('its end', prune, kept);

    expect(verified.problems).toEqual([]);
    expect((await chain.sequences())[0]).toBe(11);
  });

  it.each([
    ['before what was deleted', 3],
    ['behind it', 8],
  ])('is not believed where somebody else says what it has deleted: %s', async (_where, sequence) => {
    await probe.prune(30);
    await platform.query(
      `INSERT INTO audit_checkpoints SELECT chain, $2, purpose, kid, token, created_at FROM audit_checkpoints
       WHERE chain = $1 AND purpose = 'retention'`,
      [probe.chain, sequence],
    );

    const { body } = await probe.verify();

    expect(body.problems).toEqual([{ id: null, tenant_id: probe.chain, sequence, problem: 'unsigned' }]);
  });

  /** Six entries of forty days ago, and four of now. */
  async function newChain(): Promise<AuditChainProbe> {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(6, 40);
    await chain.add(4);
    return chain;
  }
});
