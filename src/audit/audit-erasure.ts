import type { EntityManager } from 'typeorm';
import type { ErasedUser, Erasure } from '../domain-module.js';
import { SYSTEM } from '../platform/audit/audit-event.js';
import type { AuditRecorder } from '../platform/audit/audit-recorder.js';
import { PERSONAL_COLUMNS, SALT_BYTES } from '../platform/audit/audit-record.entity.js';
import { isOwnRecord, macOfRecord, WRITTEN_COLUMNS } from '../platform/audit/record-mac.js';
import type { WrittenRecord } from '../platform/audit/record-mac.js';
import type { SecretBox } from '../platform/crypto/secret-box.js';
import type { ChainEnd } from './chain/chain-end.js';
import { ChainEnds } from './chain/chain-ends.js';
import { ENTRY_COLUMNS, isOwnEntry } from './chain/chain-reader.js';
import type { ReadEntry } from './chain/chain-reader.js';
import { DELETE_CHAIN, readDeletedEnds, toDeletionReason } from './chain/deleted-chain.js';
import { commitmentOf } from './chain/entry-hash.js';
import { macOfEntry } from './chain/entry-mac.js';
import { lockChains } from './chain/chain-lock.js';
import { PLATFORM_CHAIN } from './entries/audit-entry.entity.js';
import type { ErasedCommitments } from './entries/audit-entry.entity.js';

/** Entries of a user that are erased in one transaction. */
const BATCH = 500;
/** Entries of a chain that are deleted in one transaction. */
const CHAIN_BATCH = 5_000;
/** Of all numbers that the database can have. */
const SMALLEST = '-9223372036854775808';

type PersonalColumn = (typeof PERSONAL_COLUMNS)[number];
type PersonalValues = Readonly<Record<PersonalColumn, string | null>>;
type Person = Pick<ErasedUser, 'id' | 'pseudonym' | 'identifiers'>;
type Macs = Pick<SecretBox, 'mac'>;

interface OrderedRecord extends WrittenRecord {
  readonly ordinal: string;
}

/** By the indexes of actors and targets, however many entries there are; in one order, so that no two wait for each other. */
const ENTRIES_OF_USER = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE id IN (
    SELECT found.id FROM unnest($1::text[]) AS person (id) CROSS JOIN LATERAL (
      (SELECT e.id FROM audit_entries e WHERE e.actor_id = person.id ORDER BY e.id LIMIT ${BATCH})
      UNION ALL (SELECT e.id FROM audit_entries e WHERE e.target_id = person.id ORDER BY e.id LIMIT ${BATCH})
    ) AS found
  ) ORDER BY id LIMIT ${BATCH} FOR UPDATE`;

const RECORDS_OF_USER = `
  SELECT ordinal, ${WRITTEN_COLUMNS} FROM audit_records WHERE actor_id = ANY ($1) OR target_id = ANY ($1) FOR UPDATE`;

/** Deletes the first entries of a part of a chain; answers with the last of them. */
const DELETE_ENTRIES = `
  WITH deleted AS (
    DELETE FROM audit_entries WHERE chain = $1 AND sequence = ANY (ARRAY(
      SELECT e.sequence FROM audit_entries e WHERE e.chain = $1 AND e.sequence BETWEEN $2 AND $3
      ORDER BY e.sequence LIMIT ${CHAIN_BATCH}
    )) RETURNING audit_entries.sequence
  )
  SELECT max(sequence)::text AS last FROM deleted`;

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
    const records = await tx.query<OrderedRecord[]>(RECORDS_OF_USER, [ids]);
    for (const record of records) await eraseFromRecord(tx, record, person, secretBox);
    await tx.query('DELETE FROM audit_refusals WHERE actor_id = ANY ($1) OR target_id = ANY ($1)', [ids]);
  });
  for (let isMore = true; isMore;) {
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
  record: OrderedRecord,
  person: Person,
  secretBox: Macs,
): Promise<void> {
  const left = { ...record, ...toLeftValues(record, person) };
  const mac = isOwnRecord(secretBox, record) ? macOfRecord(secretBox, left) : record.mac;
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

interface TenantErasureParts {
  readonly audit: AuditRecorder;
  readonly secretBox: Macs;
}

/**
 * Deletes the chain of a tenant that is gone; the chain of the platform keeps where it ended. That is committed first, so
 * that what is left of the chain is known to be left, whenever this ends in the middle; the entries go without the lock
 * of the chains, since there may be millions.
 * @throws Error for the chain of the platform, which no tenant has
 */
export async function eraseTenantFromAudit(
  id: string,
  { signal, transaction }: Erasure,
  parts: TenantErasureParts,
): Promise<void> {
  if (id === PLATFORM_CHAIN) throw new Error('The chain of the platform is never deleted.');
  const { sequence: end } = await transaction((tx) => endChain(tx, id, parts));
  for (let last: string | null = SMALLEST; last !== null;) {
    signal.throwIfAborted();
    const after: string = last;
    last = await transaction(async (tx) => {
      const [deleted] = await tx.query<{ last: string | null }[]>(DELETE_ENTRIES, [id, after, end]);
      return deleted?.last ?? null;
    });
  }
  await transaction(async (tx) => {
    // What has come meanwhile is little, and goes with its end: it may have begun with the number 1 anew.
    await endChain(tx, id, parts);
    await tx.query('DELETE FROM audit_entries WHERE chain = $1', [id]);
    await tx.query('DELETE FROM audit_checkpoints WHERE chain = $1', [id]);
  });
}

/** Takes a chain's end away, with what is not sealed yet; where the chain ended is recorded, once. @returns that */
async function endChain(tx: EntityManager, id: string, { audit, secretBox }: TenantErasureParts): Promise<ChainEnd> {
  await lockChains(tx);
  const end = await new ChainEnds(secretBox).delete(tx, id);
  const [, waiting] = await tx.query<[unknown[], number]>('DELETE FROM audit_records WHERE tenant_id = $1', [id]);
  await tx.query('DELETE FROM audit_refusals WHERE tenant_id = $1', [id]);
  const isEnd = (one: ChainEnd): boolean => one.sequence === end.sequence && one.hash === end.hash;
  // It is done again, and then there is mostly nothing more, or the rest of what is known to be deleted.
  const isToldOf = end.hash === null || (await readDeletedEnds(tx, secretBox, id)).some(isEnd);
  const isKnown = isToldOf && end.brokenSequence === null;
  if (isKnown && waiting === 0) return end;
  await audit.record(tx, SYSTEM, {
    tenantId: null,
    action: DELETE_CHAIN,
    target: { type: 'tenant', id },
    reason: toDeletionReason(end),
  });
  return end;
}
