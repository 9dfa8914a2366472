import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

const MINUTE_MS = 60_000;
/** The largest number of tokens in one statement; keeps a statement on the embedded database under 10 ms. */
const BATCH = 200;

/** All replicas together write a token once a minute. */
const UPDATE = `
  UPDATE api_tokens SET last_used_at = used.at
  FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at)
  WHERE api_tokens.id = used.id
    AND (api_tokens.last_used_at IS NULL OR api_tokens.last_used_at <= used.at - interval '1 minute')`;

/** Remembers when personal access tokens were last used, and writes it later: no request waits for it. */
export class ApiTokenLastUsedTracker {
  private readonly lastNotedAt = new LRUCache<string, number>({ max: 10_000 });
  private readonly pending = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** Notes that a token is used now; again within a minute changes nothing. */
  recordUse(tokenId: string): void {
    const now = Date.now();
    if (now - (this.lastNotedAt.get(tokenId) ?? 0) < MINUTE_MS) return;
    this.lastNotedAt.set(tokenId, now);
    this.pending.set(tokenId, now);
  }

  /** Writes what has been noted; what cannot be written stays for the next time. */
  async flush(): Promise<void> {
    while (this.pending.size > 0) {
      const batch = [...this.pending].slice(0, BATCH);
      await this.dataSource.query(UPDATE, [batch.map(([id]) => id), batch.map(([, at]) => new Date(at))]);
      for (const [id, at] of batch) if (this.pending.get(id) === at) this.pending.delete(id);
    }
  }
}
