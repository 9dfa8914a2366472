import { buffer } from 'node:stream/consumers';
import type { EntityManager } from 'typeorm';
import type { BlobOwner, StorageLimits } from '../../platform/blobs/blob.types.js';
import type { Blobs } from '../../platform/blobs/blobs.js';

/** The kind of blobs that hold what sources say. */
export const SNAPSHOT_BLOB = 'research_snapshot';
/** What a text of the longest length has at most, in UTF-8. */
const MAX_BYTES = 1024 * 1024;

interface SnapshotStoreParts {
  readonly blobs: Pick<Blobs, 'write' | 'keep' | 'discard' | 'open'>;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
}

/** A text that is stored, and not kept yet. */
export interface WrittenSnapshot {
  readonly key: string;
  /** Of its text in UTF-8, in hexadecimal digits. */
  readonly sha256: string;
}

/** Keeps what sources said when they were read, so that every quote can be looked up. */
export class SnapshotStore {
  constructor(private readonly parts: SnapshotStoreParts) {}

  /** Stores a text, to be kept or discarded. @throws StorageExceeded, Unavailable; the reason of the signal */
  async write(owner: BlobOwner, text: string, signal: AbortSignal): Promise<WrittenSnapshot> {
    const { blobs, storageLimits } = this.parts;
    const bytes = Buffer.from(text);
    const limits = await storageLimits(owner);
    const request = { kind: SNAPSHOT_BLOB, expectedBytes: bytes.length, maxBytes: MAX_BYTES, limits, signal };
    return blobs.write(owner, request, chunksOf(bytes));
  }

  /** Keeps a text in the transaction of the row that names it. */
  keep(tx: EntityManager, { key }: WrittenSnapshot): Promise<void> {
    return this.parts.blobs.keep(tx, [key]);
  }

  /** Gives up a text that was not kept. It never throws. */
  discard({ key }: WrittenSnapshot): Promise<void> {
    return this.parts.blobs.discard([key]);
  }

  /** @returns undefined where it is gone @throws Unavailable; the reason of the signal */
  async read(key: string, signal: AbortSignal): Promise<string | undefined> {
    const bytes = await this.parts.blobs.open(key, { signal });
    return bytes && (await buffer(bytes)).toString('utf8');
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
