import { LRUCache } from 'lru-cache';
import type { Redis } from '../redis/redis.js';

/**
 * Keeps what was said for a while, sealed, so that it can be continued or replayed: in memory or in Redis, never on a disk.
 */
export interface SealedStore {
  /** @throws Unavailable */
  get(handle: string): Promise<Buffer | undefined>;
  /**
   * @param owner whose share of the memory it takes
   * @throws Unavailable
   */
  set(handle: string, sealed: Buffer, seconds: number, owner: string): Promise<void>;
}

/** One owner may take so much of the memory: whoever fills it drops what is its own. */
const OWNER_SHARE = 0.5;

interface Entry {
  readonly sealed: Buffer;
  readonly owner: string;
}

/** What an owner has in memory, the oldest first. */
interface OwnerUsage {
  readonly handles: Set<string>;
  bytes: number;
}

/**
 * The memory of this process. What was not used longest goes first when it is full, and the owner's own when its share
 * is.
 */
export class MemorySealedStore implements SealedStore {
  private readonly entries: LRUCache<string, Entry> | undefined;
  private readonly usageByOwner = new Map<string, OwnerUsage>();
  private readonly share: number;

  /** @param maxBytes of all entries; 0: nothing is kept */
  constructor(maxBytes: number) {
    this.share = maxBytes * OWNER_SHARE;
    if (maxBytes === 0) return;
    this.entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
      dispose: (entry, handle) => this.release(entry, handle),
    });
  }

  async get(handle: string): Promise<Buffer | undefined> {
    return this.entries?.get(handle)?.sealed;
  }

  async set(handle: string, sealed: Buffer, seconds: number, owner: string): Promise<void> {
    const { entries } = this;
    const entry = { sealed, owner };
    const size = sizeOf(entry, handle);
    if (!entries || size > this.share) return;
    entries.delete(handle);
    const usage = this.usageByOwner.get(owner) ?? { handles: new Set(), bytes: 0 };
    for (const oldest of usage.handles) {
      if (usage.bytes + size <= this.share) break;
      entries.delete(oldest);
    }
    this.usageByOwner.set(owner, usage);
    usage.handles.add(handle);
    usage.bytes += size;
    entries.set(handle, entry, { ttl: seconds * 1_000 });
  }

  private release(entry: Entry, handle: string): void {
    const usage = this.usageByOwner.get(entry.owner);
    if (!usage?.handles.delete(handle)) return;
    usage.bytes -= sizeOf(entry, handle);
    if (usage.handles.size === 0) this.usageByOwner.delete(entry.owner);
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
