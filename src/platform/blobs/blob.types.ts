import type { Readable } from 'node:stream';

/** Whose storage a blob takes. */
export interface BlobOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** How many bytes a tenant and a user may store; null is no limit. */
export interface StorageLimits {
  readonly tenantBytes: number | null;
  readonly userBytes: number | null;
}

/** What is known of a blob before its bytes come. */
export interface BlobRequest {
  /** What it is for, such as `knowledge_file`. */
  readonly kind: string;
  /** At most so many bytes come, as a `Content-Length` says: all of them are reserved first. More may come all the same. */
  readonly expectedBytes?: number;
  readonly maxBytes: number;
  readonly limits: StorageLimits;
  /** Ends the write at once. */
  readonly signal: AbortSignal;
}

/** A blob whose bytes are stored. */
export interface WrittenBlob {
  readonly key: string;
  readonly sizeBytes: number;
  /** Of its bytes, as 64 hex digits. */
  readonly sha256: string;
}

/** What is known of a blob. */
export interface BlobStat extends WrittenBlob, BlobOwner {
  readonly kind: string;
}

/** Which bytes: from `start` (0) on, up to `end` (the size) but without it. What lies beyond the end is left out. */
export interface ByteRange {
  readonly start?: number;
  readonly end?: number;
}

/** `writing`: whoever writes it has not kept it yet; `kept`: a row uses it; `released`: its bytes are to be deleted. */
export type BlobState = 'writing' | 'kept' | 'released';

/** Bytes as a store lists them; those of a write that was broken off among them. */
export interface StoredBytes {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** Where bytes lie, by the keys of their rows. What does not work throws a system error, or BlobStoreError. */
export interface BlobStore {
  /** What rows call it; undefined where nothing was ever written to it. */
  id(): Promise<string | undefined>;
  /** Makes it ready for a first write where it is not. @returns its id */
  prepare(): Promise<string>;
  /**
   * Resolves when the bytes survive a power cut. What is left of a write that fails is deleted by `delete`.
   * @param limits `maxBytes`: more never come
   * @throws Unavailable where it has no room
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>, limits: WriteLimits): Promise<void>;
  /** @returns undefined where there are not as many bytes as there should be */
  open(key: string, bytes: OpenedBytes, signal: AbortSignal): Promise<Readable | undefined>;
  /** Deletes the bytes of a key, and what was left of a write; nothing is fine. */
  delete(key: string, signal: AbortSignal): Promise<void>;
  /** All that lies there, in batches of at most 1,000. */
  list(): AsyncGenerator<readonly StoredBytes[]>;
  /** @throws where it cannot be reached, or not be written */
  check(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** What holds for one write. */
export interface WriteLimits {
  readonly maxBytes: number;
  /** So many will probably come; 0: nobody knows. */
  readonly expectedBytes: number;
  readonly signal: AbortSignal;
}

/** Which of how many bytes are to be read; `start` is less than `end`. */
export interface OpenedBytes {
  readonly start: number;
  readonly end: number;
  readonly sizeBytes: number;
}

/** A bucket, and how to reach it. */
export interface S3Address {
  /** A URL without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Names begin with it and a slash, unless it is empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}
