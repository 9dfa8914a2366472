import { RateLimited } from '../../errors.js';

/** Readers of events that a user may have in one process: each holds a connection, or a subscription. */
const MOST_READERS = 200;

/** How many readers of events each user has. */
export class ReaderPlaces {
  private readonly taken = new Map<string, number>();

  /** @throws RateLimited where a user has as many as may be */
  require(userId: string): void {
    if ((this.taken.get(userId) ?? 0) < MOST_READERS) return;
    const message = `At most ${MOST_READERS} streams of events of research sessions may be open. Please close one.`;
    throw new RateLimited(message, { limit: MOST_READERS, remaining: 0, resetSeconds: 1 });
  }

  /** @returns gives the place back; to be called once @throws RateLimited: others may have come since it was asked */
  take(userId: string): () => void {
    this.require(userId);
    this.taken.set(userId, (this.taken.get(userId) ?? 0) + 1);
    return () => {
      const left = (this.taken.get(userId) ?? 1) - 1;
      if (left > 0) this.taken.set(userId, left);
      else this.taken.delete(userId);
    };
  }
}
