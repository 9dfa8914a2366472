import type { EntityManager } from 'typeorm';
import { StorageExceeded } from '../../errors.js';
import type { BlobOwner, StorageLimits } from './blob.types.js';

/** No row comes back where the limit would be passed. */
const ADD = `
  INSERT INTO storage_usage AS u (subject, bytes)
  SELECT $1, $2::bigint WHERE $3::bigint IS NULL OR $2::bigint <= $3::bigint
  ON CONFLICT (subject) DO UPDATE SET bytes = u.bytes + excluded.bytes
  WHERE $3::bigint IS NULL OR u.bytes + excluded.bytes <= $3::bigint
  RETURNING subject`;
const SUBTRACT = 'UPDATE storage_usage SET bytes = bytes - $2::bigint WHERE subject = $1';
/** Of somebody who is gone nothing stays. */
const FORGET = 'DELETE FROM storage_usage WHERE subject = $1 AND bytes = 0';

/** Bytes that stop being counted, and whose they were. */
export interface ReleasedBytes extends BlobOwner {
  readonly sizeBytes: number;
}

/**
 * Counts bytes for a tenant and a user, in the transaction that writes them into the row of their blob. Whoever moves
 * counters has locked the rows first, then takes the tenant's, then the user's, so nobody waits in a circle.
 * @throws StorageExceeded, which must roll the transaction back
 */
export async function addStorage(
  tx: EntityManager,
  { tenantId, userId }: BlobOwner,
  bytes: number,
  { tenantBytes, userBytes }: StorageLimits,
): Promise<void> {
  if (bytes === 0) return;
  const add = (subject: string, limit: number | null) => tx.query<object[]>(ADD, [subject, bytes, limit]);
  if ((await add(tenantId, tenantBytes)).length === 0) throw new StorageExceeded('The storage of the tenant is full.');
  if ((await add(userId, userBytes)).length === 0) throw new StorageExceeded('Your storage is full.');
}

/** Takes back what `addStorage` has counted. */
export async function subtractStorage(tx: EntityManager, released: readonly ReleasedBytes[]): Promise<void> {
  await subtract(tx, sumBy(released, 'tenantId'));
  await subtract(tx, sumBy(released, 'userId'));
}

async function subtract(tx: EntityManager, sums: ReadonlyMap<string, number>): Promise<void> {
  for (const subject of [...sums.keys()].toSorted()) {
    await tx.query(SUBTRACT, [subject, sums.get(subject)]);
    await tx.query(FORGET, [subject]);
  }
}

function sumBy(released: readonly ReleasedBytes[], owner: keyof BlobOwner): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { sizeBytes, ...owners } of released) {
    sums.set(owners[owner], (sums.get(owners[owner]) ?? 0) + sizeBytes);
  }
  return sums;
}
