import { LRUCache } from 'lru-cache';
import type { Redis } from '../../platform/redis.js';

/** How long a context is kept. */
const KEPT_SECONDS = 3_600;

/** Where sealed contexts are kept for an hour: in memory or in Redis, never on a disk. */
export interface ContextStore {
  /** @throws Unavailable */
  get(handle: string): Promise<Buffer | undefined>;
  /** @throws Unavailable */
  set(handle: string, sealed: Buffer): Promise<void>;
}

/** The memory of this process. What was not used longest goes first when the room is used up. */
export class MemoryContextStore implements ContextStore {
  private readonly kept: LRUCache<string, Buffer> | undefined;

  /** @param maxBytes of all contexts together; 0: none is kept */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (sealed, handle) => sealed.length + handle.length,
      ttl: KEPT_SECONDS * 1_000,
    });
  }

  async get(handle: string): Promise<Buffer | undefined> {
    return this.kept?.get(handle);
  }

  async set(handle: string, sealed: Buffer): Promise<void> {
    this.kept?.set(handle, sealed);
  }
}

/** Redis, so that every replica can continue a response. */
export class RedisContextStore implements ContextStore {
  constructor(private readonly redis: Redis) {}

  async get(handle: string): Promise<Buffer | undefined> {
    return (await this.redis.get(keyOf(handle))) ?? undefined;
  }

  set(handle: string, sealed: Buffer): Promise<void> {
    return this.redis.setForSeconds(keyOf(handle), sealed, KEPT_SECONDS);
  }
}

function keyOf(handle: string): string {
  return `response-context:${handle}`;
}
