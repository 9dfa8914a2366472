import type { EntityManager } from 'typeorm';
import type { BlobDeletions } from './blob-deletions.js';
import type { BlobRows } from './blob-rows.js';

/** Blobs of somebody who is erased, in one transaction. */
const ERASED_AT_ONCE = 50;

/** What runs `eraseUser` and `eraseTenant`: each call of `transaction` is one of its own. */
export interface BlobErasure {
  readonly signal: AbortSignal;
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
}

/** Releases all blobs of a user or a tenant, those that are being written too, in as many transactions as it takes. */
export async function eraseBlobs(
  { kind, id }: { readonly kind: 'tenant' | 'user'; readonly id: string },
  { signal, transaction }: BlobErasure,
  { rows, deletions }: { readonly rows: BlobRows; readonly deletions: BlobDeletions },
): Promise<void> {
  for (let found = ERASED_AT_ONCE; found === ERASED_AT_ONCE;) {
    signal.throwIfAborted();
    found = await transaction(async (tx) => {
      const keys = await rows.keysOf(tx, kind, id, ERASED_AT_ONCE);
      deletions.deleteAfter(tx, await rows.release(tx, keys, ['writing', 'kept']));
      return keys.length;
    });
  }
}
