import { IsNull } from 'typeorm';
import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import { lockInTransaction } from './advisory-lock.js';

/**
 * Counts the rows of an owner before another one is added. Transactions that count the same rows wait until this one ends, so
 * that a limit holds for requests at the same time.
 * @param owner the value of the column that names the owner; null: the rows of the whole installation
 */
export async function countOwned<Row extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<Row>,
  column: 'ownerId' | 'tenantId',
  owner: string | null,
): Promise<number> {
  await lockInTransaction(tx, `${tx.getRepository(entity).metadata.tableName} of ${owner}`);
  return tx.countBy(entity, { [column]: owner ?? IsNull() } as FindOptionsWhere<Row>);
}
