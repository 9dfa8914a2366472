import type { BlobOwner, StorageLimits } from '../../../platform/blobs/blob.types.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';

/** Room that is looked for. */
interface Room {
  /** As of the blob that it is for. */
  readonly kind: string;
  readonly sizeBytes: number;
  readonly limits: StorageLimits;
  readonly signal: AbortSignal;
}

/** Looks for room before what needs it is made: it is taken, and given back at once. @throws StorageExceeded; Unavailable */
export async function requireRoom(
  blobs: Pick<Blobs, 'discard' | 'write'>,
  owner: BlobOwner,
  { kind, sizeBytes, limits, signal }: Room,
): Promise<void> {
  if (limits.tenantBytes === null && limits.userBytes === null) return;
  const request = { kind, expectedBytes: sizeBytes, maxBytes: sizeBytes, limits, signal };
  const { key } = await blobs.write(owner, request, nothing());
  await blobs.discard([key]);
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
