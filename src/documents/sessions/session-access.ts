import { IsNull } from 'typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { administersTenant } from '../../access/tenancy.js';
import { Conflict, Forbidden, NotFound } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import { DocumentSession } from './document-session.entity.js';

/**
 * The sessions that a caller may see and review, as conditions of a query: one's own and those of the tenant that are not
 * private; an administrator's are all of the tenant.
 */
export function visibleTo(caller: Caller): FindOptionsWhere<DocumentSession>[] {
  const { tenantId } = caller;
  return administersTenant(caller, tenantId) ? [{ tenantId, deletedTime: IsNull() }] : visibleToUser(caller);
}

/** Those of a user whatever it administers. */
export function visibleToUser({
  tenantId,
  userId,
}: Pick<Caller, 'tenantId' | 'userId'>): FindOptionsWhere<DocumentSession>[] {
  const existing = { tenantId, deletedTime: IsNull() };
  return [
    { ...existing, ownerId: userId },
    { ...existing, isPrivate: false },
  ];
}

/** What is asked for in a session: where it is not there, nobody is told whether the session is. */
type Sought = 'session' | 'document' | 'review item';

/** A session that the caller may see. @throws NotFound also for those of others */
export async function findVisible(
  tx: EntityManager,
  caller: Caller,
  id: string,
  sought: Sought = 'session',
): Promise<DocumentSession> {
  return found(tx, caller, { id, sought });
}

/** The same, locked until the transaction ends. @throws NotFound also for those of others */
export async function lockVisible(
  tx: EntityManager,
  caller: Caller,
  id: string,
  sought: Sought = 'session',
): Promise<DocumentSession> {
  return found(tx, caller, { id, sought }, { mode: 'pessimistic_write' });
}

/** Requires that a session takes documents and resolutions still. @throws Conflict */
export function requireOpen({ completedTime }: DocumentSession): void {
  if (completedTime)
    throw new Conflict('conflict', 'The session is completed: it takes no documents and no resolutions.');
}

/** Requires that the caller owns a session, or administers its tenant. @throws Forbidden */
export function requireOwner(caller: Caller, { ownerId, tenantId }: DocumentSession): void {
  if (ownerId === caller.userId || administersTenant(caller, tenantId, 'admin:write')) return;
  throw new Forbidden('Only its owner and administrators delete this session.');
}

async function found(
  tx: EntityManager,
  caller: Caller,
  { id, sought }: { readonly id: string; readonly sought: Sought },
  lock?: { readonly mode: 'pessimistic_write' },
): Promise<DocumentSession> {
  const where = visibleTo(caller).map((condition) => ({ ...condition, id }));
  const session = isId('das', id) && (await tx.findOne(DocumentSession, { where, ...(lock && { lock }) }));
  if (!session) throw new NotFound(`The ${sought} does not exist.`);
  return session;
}
