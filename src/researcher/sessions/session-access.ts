import { IsNull } from 'typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { NotFound } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import { ResearchSession } from './research-session.entity.js';

/** The sessions of a caller, as a condition of a query: nobody sees another's, administrators neither. */
export function ownedBy({ tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>): FindOptionsWhere<ResearchSession> {
  return { tenantId, ownerId: userId, deletedTime: IsNull() };
}

/** A session of the caller. @throws NotFound also for those of others */
export function findOwn(tx: EntityManager, caller: Caller, id: string): Promise<ResearchSession> {
  return found(tx, caller, id);
}

/** The same, locked until the transaction ends. @throws NotFound also for those of others */
export function lockOwn(tx: EntityManager, caller: Caller, id: string): Promise<ResearchSession> {
  return found(tx, caller, id, { mode: 'pessimistic_write' });
}

async function found(
  tx: EntityManager,
  caller: Caller,
  id: string,
  lock?: { readonly mode: 'pessimistic_write' },
): Promise<ResearchSession> {
  const where = { ...ownedBy(caller), id };
  const session = isId('rs', id) && (await tx.findOne(ResearchSession, { where, ...(lock && { lock }) }));
  if (!session) throw new NotFound('The session does not exist.');
  return session;
}
