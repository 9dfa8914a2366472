import type { EntityManager } from 'typeorm';
import { SALTS_BYTES } from '../../platform/audit/audit-record.entity.js';
import { isOwnRecord } from '../../platform/audit/record-mac.js';
import type { WrittenRecord } from '../../platform/audit/record-mac.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { newId } from '../../platform/ids.js';
import { hasHash } from './entry-hash.js';

/** What was written down and is not sealed yet, as the sealer reads it. */
export interface WaitingRecord extends WrittenRecord {
  /** The order in which it was written. */
  readonly ordinal: string;
  /** The chain that it goes into. */
  readonly chain: string;
}

/** A record that can be sealed. */
export interface VerifiedRecord {
  readonly record: WaitingRecord;
  /** Whether it is as this installation has written it. */
  readonly isOurs: boolean;
}

/**
 * Tells records of this installation from what others have written to their table. What could not be sealed at all is
 * repaired, in the table too, so that it neither holds up others nor is lost: it is sealed as what it is, somebody
 * else's.
 */
export async function verifyRecords(
  tx: EntityManager,
  secretBox: Pick<SecretBox, 'mac'>,
  waiting: readonly WaitingRecord[],
): Promise<readonly VerifiedRecord[]> {
  const taken = await tx.query<{ id: string }[]>('SELECT id FROM audit_entries WHERE id = ANY($1)', [
    waiting.map(({ id }) => id),
  ]);
  const ids = new Set(taken.map(({ id }) => id));
  const verified: VerifiedRecord[] = [];
  for (const record of waiting) {
    const isNew = !ids.has(record.id);
    ids.add(record.id);
    if (isNew && hasHash(record)) {
      verified.push({ record, isOurs: isOwnRecord(secretBox, record) });
    } else {
      verified.push({ record: await repair(tx, record, isNew), isOurs: false });
    }
  }
  return verified;
}

/** Gives a record an id that no entry has, and values of which there is a hash. */
async function repair(tx: EntityManager, record: WaitingRecord, isNew: boolean): Promise<WaitingRecord> {
  const id = isNew ? record.id : newId('aud');
  const values = hasHash(record) ? {} : { created_at: new Date(), salts: Buffer.alloc(SALTS_BYTES) };
  const repaired = { ...record, ...values, id };
  await tx.query('UPDATE audit_records SET id = $2, created_at = $3, salts = $4 WHERE ordinal = $1', [
    record.ordinal,
    id,
    repaired.created_at,
    repaired.salts,
  ]);
  return repaired;
}
