import type { EntityManager } from 'typeorm';

/** Waits until no other process is inside a transaction with the same name; held until this transaction ends. */
export async function lockInTransaction(tx: EntityManager, name: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** Takes the same lock as `lockInTransaction` where nobody has it. @returns whether this transaction has it now */
export async function tryLockInTransaction(tx: EntityManager, name: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }[]>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [name],
  );
  return row?.locked === true;
}
