import { randomBytes } from 'node:crypto';
import type { CallOwner } from '../../access/caller.js';
import type { BlobReader } from '../../platform/blobs/readable-blob.js';

/** How long an answer that nobody fetches is kept, in milliseconds. */
const KEPT_MS = 30_000;

/** The answer of one request. */
export interface OpenAnswer {
  readonly mediaType: string;
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Deletes what it was made from; called once, when it was sent or nobody wants it. */
  close(): Promise<void>;
}

interface KeptAnswer {
  readonly owner: CallOwner;
  readonly answer: OpenAnswer;
  readonly timer: NodeJS.Timeout;
  isOpen: boolean;
}

/**
 * Answers between the operation that makes them and the response that they are sent with: nothing is stored. Each is
 * fetched once, by its owner, in this process.
 */
export class OpenAnswers {
  private readonly kept = new Map<string, KeptAnswer>();

  /** @returns its key */
  add(owner: CallOwner, answer: OpenAnswer): string {
    const key = randomBytes(16).toString('base64url');
    const timer = setTimeout(() => void this.remove(key), KEPT_MS).unref();
    this.kept.set(key, { owner, answer, timer, isOpen: false });
    return key;
  }

  /** Finds an answer, also while it is sent. */
  readonly read: BlobReader = (user, key) => {
    const found = this.kept.get(key);
    const isOwn = found?.owner.userId === user.userId && found.owner.tenantId === user.tenantId;
    if (!found || !isOwn) return Promise.resolve(undefined);
    const { mediaType, filename } = found.answer;
    return Promise.resolve({ mediaType, filename, open: () => Promise.resolve(this.open(key, found)) });
  };

  /** Drops all that nobody has fetched. */
  async close(): Promise<void> {
    await Promise.all([...this.kept].filter(([, { isOpen }]) => !isOpen).map(([key]) => this.remove(key)));
  }

  private open(key: string, found: KeptAnswer): AsyncIterable<Uint8Array> | undefined {
    if (found.isOpen) return undefined;
    found.isOpen = true;
    clearTimeout(found.timer);
    return this.untilSent(key, found.answer.bytes);
  }

  private async *untilSent(key: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } finally {
      await this.remove(key);
    }
  }

  private async remove(key: string): Promise<void> {
    const found = this.kept.get(key);
    if (!found) return;
    this.kept.delete(key);
    clearTimeout(found.timer);
    await found.answer.close();
  }
}
