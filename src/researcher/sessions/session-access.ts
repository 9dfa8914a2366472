import { IsNull } from 'typeorm';
import type { EntityManager, FindOneOptions, FindOptionsWhere } from 'typeorm';
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

/** How far a session of the caller is, without all that it may hold. @throws NotFound also for those of others */
export async function findOwnState(
  tx: EntityManager,
  caller: Caller,
  id: string,
): Promise<Pick<ResearchSession, 'status' | 'lastEventId'>> {
  return found(tx, caller, id, { select: { id: true, status: true, lastEventId: true } });
}

/** A session of the caller, locked until the transaction ends. @throws NotFound also for those of others */
export function lockOwn(tx: EntityManager, caller: Caller, id: string): Promise<ResearchSession> {
  return found(tx, caller, id, { lock: { mode: 'pessimistic_write' } });
}

async function found(
  tx: EntityManager,
  caller: Caller,
  id: string,
  options: Pick<FindOneOptions<ResearchSession>, 'lock' | 'select'> = {},
): Promise<ResearchSession> {
  const where = { ...ownedBy(caller), id };
  const session = isId('rs', id) && (await tx.findOne(ResearchSession, { ...options, where }));
  if (!session) throw new NotFound('The session does not exist.');
  return session;
}
