import type { EntityManager } from 'typeorm';

/** Waits until no other process is inside a transaction with the same name; held until this transaction ends. */
export async function lockInTransaction(tx: EntityManager, name: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
