import { IsNull } from 'typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { administersTenant } from '../../access/tenancy.js';
import { Forbidden, NotFound } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** The knowledge bases that a caller may read, as conditions of a query: one's own, and those of the tenant that are not private. */
export function readableBy({
  tenantId,
  userId,
}: Pick<Caller, 'tenantId' | 'userId'>): FindOptionsWhere<KnowledgeBase>[] {
  const existing = { tenantId, deletedTime: IsNull() };
  return [
    { ...existing, ownerId: userId },
    { ...existing, isPrivate: false },
  ];
}

/**
 * A knowledge base that the caller may read.
 * @throws NotFound also for those of others
 */
export async function findReadable(tx: EntityManager, caller: Caller, id: string): Promise<KnowledgeBase> {
  const where = readableBy(caller).map((condition) => ({ ...condition, id }));
  const base = isId('kb', id) && (await tx.findOne(KnowledgeBase, { where }));
  if (!base) throw unknownBase();
  return base;
}

/**
 * A knowledge base that the caller may change, locked: its owner, and administrators of the tenant who may read it.
 * @throws NotFound where the caller may not even read it; Forbidden where it may not more than that
 */
export async function lockWritable(tx: EntityManager, caller: Caller, id: string): Promise<KnowledgeBase> {
  const where = readableBy(caller).map((condition) => ({ ...condition, id }));
  const lock = { mode: 'pessimistic_write' } as const;
  const base = isId('kb', id) && (await tx.findOne(KnowledgeBase, { where, lock }));
  if (!base) throw unknownBase();
  requireWritable(caller, base);
  return base;
}

/** @throws Forbidden */
export function requireWritable(caller: Caller, { ownerId, tenantId }: KnowledgeBase): void {
  if (ownerId === caller.userId || administersTenant(caller, tenantId, 'admin:write')) return;
  throw new Forbidden('Only its owner and administrators change this knowledge base.');
}

function unknownBase(): NotFound {
  return new NotFound('The knowledge base does not exist.');
}
