import type { EntityManager } from 'typeorm';
import { lockInTransaction, tryLockInTransaction } from '../../platform/database/advisory-lock.js';

const NAME = 'audit-chains';

/** Waits until nobody else changes chains; held until the transaction ends. */
export async function lockChains(tx: EntityManager): Promise<void> {
  await lockInTransaction(tx, NAME);
}

/** Takes the lock of the chains where nobody has it. @returns whether the transaction has it now */
export function tryLockChains(tx: EntityManager): Promise<boolean> {
  return tryLockInTransaction(tx, NAME);
}
