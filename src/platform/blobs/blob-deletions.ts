import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { AfterCommit } from '../database/after-commit.js';
import type { BlobSweeper } from './blob-sweeper.js';

const AT_ONCE = 4;

/** Deletes bytes in the background, as soon as nobody needs them. What fails, or is not begun, is left to the sweep. */
export class BlobDeletions {
  private readonly limit = pLimit(AT_ONCE);
  private readonly running = new Set<Promise<void>>();
  private isClosing = false;

  constructor(
    private readonly sweeper: BlobSweeper,
    private readonly afterCommit: AfterCommit,
    private readonly log: Logger,
  ) {}

  /** Deletes blobs that a transaction releases, when it is committed. A part that is rolled back releases nothing. */
  deleteAfter(tx: EntityManager, keys: readonly string[]): void {
    if (keys.length > 0) this.afterCommit.run(tx, () => this.begin(() => this.sweeper.deleteReleased(keys)));
  }

  /** Deletes the bytes of a key that has no row any more. */
  deleteBytes(key: string): void {
    this.begin(() => this.sweeper.deleteBytes(key));
  }

  /** Waits for what has begun, which takes no longer than a store may take for one deletion. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.running);
  }

  private begin(work: () => Promise<void>): void {
    const deletion = this.limit(() => (this.isClosing ? Promise.resolve() : work()))
      .catch((error: unknown) => this.log.warn({ err: error }, 'files that nobody uses are deleted later'))
      .finally(() => this.running.delete(deletion));
    this.running.add(deletion);
  }
}
