import { createHash } from 'node:crypto';
import { PayloadTooLarge, StorageExceeded } from '../../errors.js';
import { unlessAborted } from '../async/unless-aborted.js';

/** What is reserved at once where nobody said how much will come: at first, and at most. */
const FIRST_STEP_BYTES = 256 * 1024;
const LARGEST_STEP_BYTES = 8 * 1024 * 1024;

interface BlobIntakeParts {
  readonly source: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** What is reserved already. */
  readonly reservedBytes: number;
  /** Reserves more. @throws StorageExceeded */
  reserve(bytes: number): Promise<void>;
}

/**
 * The bytes of one blob on their way to a store: counted, hashed, and let through when they are reserved. Whoever reads
 * them slowly slows the source down.
 */
export class BlobIntake {
  sizeBytes = 0;
  reservedBytes: number;
  /** Whether it was the source, a limit or the signal that ended the bytes, and not the store. */
  hasFailed = false;
  private stepBytes = FIRST_STEP_BYTES;
  private readonly hash = createHash('sha256');

  constructor(private readonly parts: BlobIntakeParts) {
    this.reservedBytes = parts.reservedBytes;
  }

  /** The bytes, once. @throws what the source throws, the signal's reason, PayloadTooLarge, StorageExceeded */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const { source, signal } = this.parts;
    const iterator = source[Symbol.asyncIterator]();
    let isOver = false;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await unlessAborted(iterator.next(), signal);
        isOver = done === true;
        if (done) return;
        await this.admit(value.byteLength);
        this.hash.update(value);
        yield value;
      }
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      // Not waited for: a source that is asked for its next bytes may be silent for ever.
      if (!isOver) iterator.return?.().catch(() => undefined);
    }
  }

  /** The SHA-256 of all bytes, as hex digits; to be asked for once. */
  digest(): string {
    return this.hash.digest('hex');
  }

  private async admit(bytes: number): Promise<void> {
    const { maxBytes } = this.parts;
    this.sizeBytes += bytes;
    if (this.sizeBytes > maxBytes) throw new PayloadTooLarge(maxBytes, 'The file');
    const needed = this.sizeBytes - this.reservedBytes;
    if (needed > 0) await this.reserve(needed);
  }

  /** More than is needed now, so that not every piece is a transaction; where there is no room for that, what is needed. */
  private async reserve(needed: number): Promise<void> {
    const wanted = Math.min(Math.max(needed, this.stepBytes), this.parts.maxBytes - this.reservedBytes);
    const isReserved = await this.tryReserve(wanted, wanted > needed);
    if (!isReserved) await this.tryReserve(needed, false);
    this.stepBytes = Math.min(2 * this.stepBytes, LARGEST_STEP_BYTES);
  }

  private async tryReserve(bytes: number, mayFail: boolean): Promise<boolean> {
    try {
      await this.parts.reserve(bytes);
    } catch (error) {
      if (mayFail && error instanceof StorageExceeded) return false;
      throw error;
    }
    this.reservedBytes += bytes;
    return true;
  }
}
