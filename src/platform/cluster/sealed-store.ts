import { LRUCache } from 'lru-cache';
import type { Redis } from '../redis/redis.js';

/**
 * Where what was said is kept for a while, sealed, so that it can be gone on with or told again: in memory or in Redis,
 * never on a disk.
 */
export interface SealedStore {
  /** @throws Unavailable */
  get(handle: string): Promise<Buffer | undefined>;
  /**
   * @param owner whose room it takes
   * @throws Unavailable
   */
  set(handle: string, sealed: Buffer, seconds: number, owner: string): Promise<void>;
}

/** One owner may take so much of the room: whoever fills it drops what is its own. */
const OWNER_SHARE = 0.5;

interface Entry {
  readonly sealed: Buffer;
  readonly owner: string;
}

/** What an owner has in the room, the oldest first. */
interface OwnerUsage {
  readonly handles: Set<string>;
  bytes: number;
}

/**
 * The memory of this process. What was not used longest goes first when the room is used up, and what is the owner's
 * own when its share is.
 */
export class MemorySealedStore implements SealedStore {
  private readonly kept: LRUCache<string, Entry> | undefined;
  private readonly usageByOwner = new Map<string, OwnerUsage>();
  private readonly share: number;

  /** @param maxBytes of all that is kept; 0: nothing is */
  constructor(maxBytes: number) {
    this.share = maxBytes * OWNER_SHARE;
    if (maxBytes === 0) return;
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
      dispose: (kept, handle) => this.forget(kept, handle),
    });
  }

  async get(handle: string): Promise<Buffer | undefined> {
    return this.kept?.get(handle)?.sealed;
  }

  async set(handle: string, sealed: Buffer, seconds: number, owner: string): Promise<void> {
    const { kept } = this;
    const entry = { sealed, owner };
    const size = sizeOf(entry, handle);
    if (!kept || size > this.share) return;
    kept.delete(handle);
    const holding = this.usageByOwner.get(owner) ?? { handles: new Set(), bytes: 0 };
    for (const oldest of holding.handles) {
      if (holding.bytes + size <= this.share) break;
      kept.delete(oldest);
    }
    this.usageByOwner.set(owner, holding);
    holding.handles.add(handle);
    holding.bytes += size;
    kept.set(handle, entry, { ttl: seconds * 1_000 });
  }

  private forget(kept: Entry, handle: string): void {
    const holding = this.usageByOwner.get(kept.owner);
    if (!holding?.handles.delete(handle)) return;
    holding.bytes -= sizeOf(kept, handle);
    if (holding.handles.size === 0) this.usageByOwner.delete(kept.owner);
  }
}

function sizeOf({ sealed }: Entry, handle: string): number {
  return sealed.length + handle.length;
}

/** Redis, so that every replica finds it. */
export class RedisSealedStore implements SealedStore {
  constructor(private readonly redis: Redis) {}

  async get(handle: string): Promise<Buffer | undefined> {
    return (await this.redis.get(handle)) ?? undefined;
  }

  set(handle: string, sealed: Buffer, seconds: number, _owner: string): Promise<void> {
    return this.redis.setForSeconds(handle, sealed, seconds);
  }
}
