import { IsNull } from 'typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { NotFound } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import { Recording } from './recording.entity.js';

/** Whose a recording is. */
export type RecordingOwner = Pick<Caller, 'tenantId' | 'userId'>;

/** The recordings of a caller, as a condition of a query: nobody has another's, administrators neither. */
export function ownedBy({ tenantId, userId }: RecordingOwner): FindOptionsWhere<Recording> {
  return { tenantId, ownerId: userId, deletedTime: IsNull() };
}

/** A recording of the caller. @throws NotFound also for those of others */
export function findOwn(tx: EntityManager, owner: RecordingOwner, id: string): Promise<Recording> {
  return found(tx, owner, id);
}

/** A recording of the caller, locked until the transaction ends. @throws NotFound also for those of others */
export function lockOwn(tx: EntityManager, owner: RecordingOwner, id: string): Promise<Recording> {
  return found(tx, owner, id, { mode: 'pessimistic_write' });
}

async function found(
  tx: EntityManager,
  owner: RecordingOwner,
  id: string,
  lock?: { readonly mode: 'pessimistic_write' },
): Promise<Recording> {
  const where = { ...ownedBy(owner), id };
  const recording = isId('rec', id) && (await tx.findOne(Recording, { where, ...(lock && { lock }) }));
  if (!recording) throw new NotFound('The recording does not exist.');
  return recording;
}
