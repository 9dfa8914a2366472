import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { withLedgerTimeout } from '../ledger/ledger-timeout.js';

/** How long what is known of a tenant is taken to be the same, where another process changes it. */
const KNOWN_MS = 2_000;

/** As the ledger reads it with every call: without a quota of its own a tenant has the server's. */
const READ = `
  SELECT enforcing AND (tokens IS NOT NULL OR user_tokens IS NOT NULL) AS limited FROM tenant_quotas
  WHERE tenant_id = $1`;

/** Knows for which tenants a limit of tokens is enforced, on the tenant or on its users. */
export class TokenLimits {
  private readonly known = new LRUCache<string, Promise<boolean>>({ max: 10_000, ttl: KNOWN_MS });

  /** @param userTokens what each user of a tenant without a quota of its own may use; undefined: any number */
  constructor(
    private readonly dataSource: DataSource,
    private readonly userTokens: number | undefined,
  ) {}

  /** Whether one is; where that cannot be read, it is taken to be so. Never fails. */
  async holdFor(tenantId: string): Promise<boolean> {
    const known = this.known.get(tenantId);
    if (known) return known;
    const read = this.read(tenantId).catch(() => {
      this.known.delete(tenantId);
      return true;
    });
    this.known.set(tenantId, read);
    return read;
  }

  /** To be called when a tenant's quota has been set. */
  changed(tenantId: string): void {
    this.known.delete(tenantId);
  }

  private async read(tenantId: string): Promise<boolean> {
    const [row] = await withLedgerTimeout(this.dataSource.query<{ limited: boolean }[]>(READ, [tenantId]));
    return row?.limited ?? this.userTokens !== undefined;
  }
}
