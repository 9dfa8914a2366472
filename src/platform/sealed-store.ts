import { LRUCache } from 'lru-cache';
import type { Redis } from './redis.js';

/**
 * Where what was said is kept for a while, sealed, so that it can be gone on with or told again: in memory or in Redis,
 * never on a disk.
 */
export interface SealedStore {
  /** @throws Unavailable */
  get(handle: string): Promise<Buffer | undefined>;
  /** @throws Unavailable */
  set(handle: string, sealed: Buffer, seconds: number): Promise<void>;
}

/** The memory of this process. What was not used longest goes first when the room is used up. */
export class MemorySealedStore implements SealedStore {
  private readonly kept: LRUCache<string, Buffer> | undefined;

  /** @param maxBytes of all that is kept; 0: nothing is */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (sealed, handle) => sealed.length + handle.length,
    });
  }

  async get(handle: string): Promise<Buffer | undefined> {
    return this.kept?.get(handle);
  }

  async set(handle: string, sealed: Buffer, seconds: number): Promise<void> {
    this.kept?.set(handle, sealed, { ttl: seconds * 1_000 });
  }
}

/** Redis, so that every replica finds it. */
export class RedisSealedStore implements SealedStore {
  constructor(private readonly redis: Redis) {}

  async get(handle: string): Promise<Buffer | undefined> {
    return (await this.redis.get(handle)) ?? undefined;
  }

  set(handle: string, sealed: Buffer, seconds: number): Promise<void> {
    return this.redis.setForSeconds(handle, sealed, seconds);
  }
}
