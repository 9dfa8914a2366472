import type { EntityManager } from 'typeorm';
import type { ErasedUser, Erasure } from '../domain-module.js';
import { SYSTEM } from '../platform/audit/audit-event.js';
import type { AuditRecorder } from '../platform/audit/audit-recorder.js';
import { PERSONAL_COLUMNS, SALT_BYTES } from '../platform/audit/audit-record.entity.js';
import { commitmentOf } from './chain/entry-hash.js';
import type { ReadEntry } from './chain/chain-reader.js';
import { lockChains } from './chain/sealer.js';

const BATCH = 500;

type PersonalColumn = (typeof PERSONAL_COLUMNS)[number];

const OF_USER = `
  SELECT chain, sequence::float8 AS sequence, actor_id, target_id, ip, user_agent, request_id, salts, erased
  FROM audit_entries WHERE actor_id = $1 OR target_id = $1 LIMIT ${BATCH}`;

/**
 * Erases who somebody was from the audit log: a pseudonym takes the place of the id, and whatever else tells of the
 * person goes, together with its salt. The commitments stay, so the chains are as they were.
 */
export async function eraseUserFromAudit(
  { id, pseudonym }: Pick<ErasedUser, 'id' | 'pseudonym'>,
  { signal, transaction }: Erasure,
): Promise<void> {
  await transaction(async (tx) => {
    await lockChains(tx);
    await tx.query(
      `UPDATE audit_records SET actor_id = $2, ip = NULL, user_agent = NULL, request_id = NULL WHERE actor_id = $1`,
      [id, pseudonym],
    );
    await tx.query('UPDATE audit_records SET target_id = $2 WHERE target_id = $1', [id, pseudonym]);
    await tx.query('DELETE FROM audit_refusals WHERE actor_id = $1 OR target_id = $1', [id]);
  });
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    isMore = await transaction(async (tx) => {
      const rows = await tx.query<ReadEntry[]>(OF_USER, [id]);
      for (const row of rows) await eraseFromEntry(tx, row, id, pseudonym);
      return rows.length === BATCH;
    });
  }
}

async function eraseFromEntry(tx: EntityManager, entry: ReadEntry, id: string, pseudonym: string): Promise<void> {
  const isActor = entry.actor_id === id;
  const columns = PERSONAL_COLUMNS.filter((column) =>
    column === 'target_id' ? entry.target_id === id : isActor && entry[column] !== null,
  );
  const salts = Buffer.from(entry.salts);
  const erased: Partial<Record<PersonalColumn, string | null>> = { ...entry.erased };
  for (const column of columns) {
    erased[column] = commitmentOf(entry, column);
    const at = PERSONAL_COLUMNS.indexOf(column) * SALT_BYTES;
    salts.fill(0, at, at + SALT_BYTES);
  }
  const left = (column: PersonalColumn): string | null =>
    !columns.includes(column) ? entry[column] : column === 'actor_id' || column === 'target_id' ? pseudonym : null;
  await tx.query(
    `UPDATE audit_entries SET actor_id = $3, target_id = $4, ip = $5, user_agent = $6, request_id = $7, salts = $8,
       erased = $9 WHERE chain = $1 AND sequence = $2`,
    [entry.chain, entry.sequence, ...PERSONAL_COLUMNS.map(left), salts, JSON.stringify(erased)],
  );
}

/** Deletes the chain of a tenant that is gone; the chain of the platform keeps where it ended. */
export async function eraseTenantFromAudit(id: string, { transaction }: Erasure, audit: AuditRecorder): Promise<void> {
  await transaction(async (tx) => {
    await lockChains(tx);
    const [end] = await tx.query<{ sequence: string; hash: string }[]>(
      `SELECT sequence, encode(hash, 'hex') AS hash FROM audit_chains WHERE chain = $1`,
      [id],
    );
    for (const table of ['audit_entries', 'audit_checkpoints', 'audit_chains']) {
      await tx.query(`DELETE FROM ${table} WHERE chain = $1`, [id]);
    }
    await tx.query('DELETE FROM audit_records WHERE tenant_id = $1', [id]);
    await tx.query('DELETE FROM audit_refusals WHERE tenant_id = $1', [id]);
    const reason = end ? `the chain ended with number ${end.sequence} and the hash ${end.hash}` : undefined;
    await audit.record(tx, SYSTEM, {
      tenantId: null,
      action: 'audit_log.delete',
      target: { type: 'tenant', id },
      reason,
    });
  });
}
