import type { EntityManager } from 'typeorm';
import type { ErasedUser, Erasure } from '../domain-module.js';
import { SYSTEM } from '../platform/audit/audit-event.js';
import type { AuditRecorder } from '../platform/audit/audit-recorder.js';
import { PERSONAL_COLUMNS, SALT_BYTES } from '../platform/audit/audit-record.entity.js';
import { macOfRecord } from '../platform/audit/record-mac.js';
import type { SecretBox } from '../platform/crypto/secret-box.js';
import { ChainEnds } from './chain/chain-ends.js';
import { ENTRY_COLUMNS, isOwnEntry } from './chain/chain-reader.js';
import type { ReadEntry } from './chain/chain-reader.js';
import { DELETE_CHAIN, toDeletionReason } from './chain/deleted-chain.js';
import { commitmentOf } from './chain/entry-hash.js';
import { macOfEntry } from './chain/entry-mac.js';
import { lockChains } from './chain/sealer.js';
import type { WaitingRecord } from './chain/record-admission.js';
import type { ErasedCommitments } from './entries/audit-entry.entity.js';

const BATCH = 500;

type PersonalColumn = (typeof PERSONAL_COLUMNS)[number];
type PersonalValues = Readonly<Record<PersonalColumn, string | null>>;
type Person = Pick<ErasedUser, 'id' | 'pseudonym' | 'identifiers'>;
type Macs = Pick<SecretBox, 'mac'>;

const ENTRIES_OF_USER = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE actor_id = ANY ($1) OR target_id = ANY ($1)
  ORDER BY chain, audit_entries.sequence LIMIT ${BATCH} FOR UPDATE`;

const RECORDS_OF_USER = `
  SELECT ordinal, tenant_id, id, action, actor_type, actor_id, target_type, target_id, outcome, reason, ip, user_agent,
    request_id, server_request_id, salts, created_at, mac
  FROM audit_records WHERE actor_id = ANY ($1) OR target_id = ANY ($1) FOR UPDATE`;

/**
 * Erases who somebody was from the audit log: a pseudonym takes the place of the id, and of what the log calls the names
 * of an account that nobody knew to be the person's; whatever else tells of them goes, together with its salt. The commitments stay, so the chains are as they were. What somebody else has
 * written is erased as well, and gets no MAC by that.
 */
export async function eraseUserFromAudit(
  person: Person,
  { signal, transaction }: Erasure,
  secretBox: Macs,
): Promise<void> {
  const ids = [person.id, ...person.identifiers];
  await transaction(async (tx) => {
    await lockChains(tx);
    const records = await tx.query<WaitingRecord[]>(RECORDS_OF_USER, [ids]);
    for (const record of records) await eraseFromRecord(tx, record, person, secretBox);
    await tx.query('DELETE FROM audit_refusals WHERE actor_id = ANY ($1) OR target_id = ANY ($1)', [ids]);
  });
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    isMore = await transaction(async (tx) => {
      const rows = await tx.query<ReadEntry[]>(ENTRIES_OF_USER, [ids]);
      for (const row of rows) await eraseFromEntry(tx, row, person, secretBox);
      return rows.length === BATCH;
    });
  }
}

async function eraseFromRecord(
  tx: EntityManager,
  record: WaitingRecord,
  person: Person,
  secretBox: Macs,
): Promise<void> {
  const left = { ...record, ...toLeftValues(record, person) };
  const mac = record.mac.equals(macOfRecord(secretBox, record)) ? macOfRecord(secretBox, left) : record.mac;
  await tx.query(
    `UPDATE audit_records SET actor_id = $2, target_id = $3, ip = $4, user_agent = $5, request_id = $6, mac = $7
     WHERE ordinal = $1`,
    [record.ordinal, ...PERSONAL_COLUMNS.map((column) => left[column]), mac],
  );
}

async function eraseFromEntry(tx: EntityManager, entry: ReadEntry, person: Person, secretBox: Macs): Promise<void> {
  const isOurs = isOwnEntry(secretBox, entry);
  const salts = Buffer.from(entry.salts);
  const erased: Partial<Record<PersonalColumn, string>> = { ...entry.erased };
  for (const column of columnsOf(entry, person)) {
    const commitment = commitmentOf(entry, column);
    if (commitment !== null) erased[column] = commitment;
    const at = PERSONAL_COLUMNS.indexOf(column) * SALT_BYTES;
    salts.fill(0, at, at + SALT_BYTES);
  }
  const left = { ...entry, ...toLeftValues(entry, person), salts, erased: erased satisfies ErasedCommitments };
  await tx.query(
    `UPDATE audit_entries SET actor_id = $3, target_id = $4, ip = $5, user_agent = $6, request_id = $7, salts = $8,
       erased = $9, mac = $10 WHERE chain = $1 AND sequence = $2`,
    [
      entry.chain,
      entry.sequence,
      ...PERSONAL_COLUMNS.map((column) => left[column]),
      salts,
      JSON.stringify(erased),
      isOurs ? macOfEntry(secretBox, left, entry.hash) : entry.mac,
    ],
  );
}

/** The columns that tell of a person: of an actor the request as well. */
function columnsOf(values: PersonalValues, { id, identifiers }: Person): readonly PersonalColumn[] {
  const isTheirs = (value: string | null): boolean => value === id || (value !== null && identifiers.includes(value));
  return PERSONAL_COLUMNS.filter((column) =>
    column === 'target_id' ? isTheirs(values.target_id) : isTheirs(values.actor_id) && values[column] !== null,
  );
}

function toLeftValues(values: PersonalValues, person: Person): PersonalValues {
  const columns = columnsOf(values, person);
  const left = (column: PersonalColumn, instead: string | null): string | null =>
    columns.includes(column) ? instead : values[column];
  return {
    actor_id: left('actor_id', person.pseudonym),
    target_id: left('target_id', person.pseudonym),
    ip: left('ip', null),
    user_agent: left('user_agent', null),
    request_id: left('request_id', null),
  };
}

/** Deletes the chain of a tenant that is gone; the chain of the platform keeps where it ended. */
export async function eraseTenantFromAudit(
  id: string,
  { transaction }: Erasure,
  { audit, secretBox }: { readonly audit: AuditRecorder; readonly secretBox: Macs },
): Promise<void> {
  await transaction(async (tx) => {
    await lockChains(tx);
    const end = await new ChainEnds(secretBox).delete(tx, id);
    for (const table of ['audit_entries', 'audit_checkpoints']) {
      await tx.query(`DELETE FROM ${table} WHERE chain = $1`, [id]);
    }
    const [, waiting] = await tx.query<[unknown[], number]>('DELETE FROM audit_records WHERE tenant_id = $1', [id]);
    await tx.query('DELETE FROM audit_refusals WHERE tenant_id = $1', [id]);
    // It is done again, and then there is mostly nothing more.
    if (end.hash === null && waiting === 0) return;
    await audit.record(tx, SYSTEM, {
      tenantId: null,
      action: DELETE_CHAIN,
      target: { type: 'tenant', id },
      reason: toDeletionReason(end),
    });
  });
}
