import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ChainEnds } from '../../../src/audit/chain/chain-ends.js';
import { lockChains } from '../../../src/audit/chain/chain-lock.js';
import { CheckpointReader, verifyAuditLog } from '../../../src/audit/domain.js';
import { addTenant } from '../../support/builders/accounts.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { startForging } from '../../support/probes/audit-tables.js';
import type { AuditTables } from '../../support/probes/audit-tables.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Platform } from '../../support/servers/platform.js';

describe('the checkpoints of the audit log', () => {
  let [platform, token, checkpoint]: [Platform, string, string] = [] as never;
  let [probe, tables]: [AuditChainProbe, AuditTables] = [] as never;
  beforeAll(async () => void ([platform, token, tables] = await startForging()));
  afterAll(() => platform.close());
  beforeEach(prepare);
  afterEach(() => tables.restore());

  it.each([
    ['are gone', 'DELETE FROM audit_checkpoints', 1, false],
    ['are garbage', "UPDATE audit_checkpoints SET token = 'x.y.z'", 5, true],
    [
      'have a key that is another',
      `UPDATE audit_keys SET public_jwk = jsonb_set(public_jwk, '{x}', '"AAAA"')`,
      5,
      true,
    ],
    ['have a key that is none', "UPDATE audit_keys SET public_jwk = 'null'", 5, true],
    ['are gone with their keys', 'DELETE FROM audit_checkpoints; DELETE FROM audit_keys', 1, false],
  ])('are missed where they %s, and one that was kept goes on to prove', async (_what, change, sequence, isThere) => {
    await tables.write(...change.split('; '));

    const { status, body } = await probe.verify();
    // The verification itself is the eighth.
    await probe.seal(8);
    const kept = await probe.verify({ checkpoint });

    expect(status).toBe(200);
    expect(body.problems[0]).toEqual(problem('unsigned', sequence, isThere ? await probe.idAt(5) : null));
    expect([kept.status, kept.body.entries]).toEqual([200, 4]);
  });

  it('get a key again that was spoiled', async () => {
    await tables.write(`UPDATE audit_keys SET public_jwk = 'null'`);

    await probe.signEnd();

    expect((await probe.verify()).body).toMatchObject({ valid: true });
  });

  it('are of the chain that is asked for, or refused', async () => {
    const other = await probe.verify({ checkpoint, tenant_id: 'platform' });

    expect([other.status, other.body.error.param]).toEqual([400, 'checkpoint']);
  });

  it('prove the entry that they are of, too', async () => {
    await tables.write(`UPDATE audit_entries SET reason = 'forged' WHERE chain = '${probe.chain}' AND sequence = 5`);

    const { body } = await probe.verify({ checkpoint });

    expect(body.problems).toEqual([problem('edited', 5, await probe.idAt(5))]);
  });

  it('are not missed where no server was there to make them', async () => {
    await platform.app.database.dataSource.transaction(async (tx) => {
      await lockChains(tx);
      const ends = new ChainEnds(probe.secretBox);
      const found = (await ends.read(tx, [probe.chain])).get(probe.chain);
      if (!found?.hash) throw new Error('The chain is not there.');
      const now = { ...found, hash: found.hash, unsignedSince: new Date(Date.now() - 25 * 60_000) };
      await ends.write(tx, [{ found, now }]);
    });

    expect((await probe.verify()).body).toMatchObject({ valid: true, entries: 7 });
  });

  it('may be made while the chain is verified', async () => {
    const { dataSource } = platform.app.database;
    let pages = 0;
    const query = async (sql: string, values: unknown[]) => {
      const rows = await dataSource.query(sql, values);
      const isPage = sql.includes('FROM audit_entries') && sql.includes('LIMIT $4');
      if (isPage && (pages += 1) === 1) await probe.signEnd();
      return rows;
    };
    const watched = new Proxy(dataSource, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
    }) as DataSource;
    const { secretBox } = probe;
    const checkpoints = new CheckpointReader(secretBox);

    const verified = await verifyAuditLog({ dataSource: watched, secretBox, checkpoints }, { chain: probe.chain });

    expect(pages).toBeGreaterThan(0);
    expect(verified).toMatchObject({ entries: 7, problems: [] });
  });

  it('hold for a chain that was deleted with its tenant', async () => {
    const { dataSource } = platform.app.database;
    const { secretBox } = probe;
    const checkpoints = new CheckpointReader(secretBox);
    await platform.request('DELETE', `/v1/admin/tenants/${probe.chain}`, { token });
    await eventually('the chain is gone', 20, async () => (await probe.length()) === 0);

    const from = checkpoints.read(checkpoint);
    const verified = await verifyAuditLog({ dataSource, secretBox, checkpoints }, { from });

    expect(verified).toMatchObject({ entries: 0, problems: [] });
  });

  async function prepare(): Promise<void> {
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.addOld(5, 1);
    checkpoint = await probe.signEnd();
    await probe.addOld(2, 1);
    await tables.save();
  }

  function problem(kind: string, sequence: number, id: string | null) {
    return { id, tenant_id: probe.chain, sequence, problem: kind };
  }
});
