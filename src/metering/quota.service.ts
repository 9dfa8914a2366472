import type { DataSource } from 'typeorm';
import { Forbidden } from '../errors.js';
import { hasPrivilege } from '../graph/access.js';
import type { Caller } from '../context.js';
import type { Quota } from './quota.types.js';

const WARNING_PERCENT = 80;

const SUMS = `
  SELECT count(*) AS requests, coalesce(sum(prompt_tokens::bigint + completion_tokens), 0) AS tokens
  FROM calls
  WHERE tenant_id = $1 AND user_id = $2 AND settled_at >= $3 AND settled_at < $4`;

/** Tells users what they have used this month. */
export class QuotaService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokensPerMonth: number | undefined,
  ) {}

  /** The caller's own quota (specification, section 2, Quota; CONTRACT, section 9). */
  async own(caller: Caller): Promise<Quota> {
    return this.read(caller.tenantId, caller.userId);
  }

  /**
   * The quota of a user of the caller's tenant.
   * @throws Forbidden unless the caller is that user or an administrator
   */
  async ofUser(caller: Caller, userId: string, tenantId: string): Promise<Quota> {
    const administers =
      hasPrivilege(caller, 'sysadmin') || (caller.tenantId === tenantId && hasPrivilege(caller, 'admin'));
    if (caller.userId !== userId && !administers) throw new Forbidden('Only administrators see the quota of others.');
    return this.read(tenantId, userId);
  }

  private async read(tenantId: string, userId: string): Promise<Quota> {
    const period = monthOf(new Date());
    const [sums] = await this.dataSource.query<{ requests: string; tokens: string }[]>(SUMS, [
      tenantId,
      userId,
      period.periodStart,
      period.periodEnd,
    ]);
    const tokens = Number(sums?.tokens ?? 0);
    const percentUsed = this.tokensPerMonth === undefined ? 0 : (tokens / this.tokensPerMonth) * 100;
    return {
      usage: { requests: Number(sums?.requests ?? 0), tokens, storageBytes: 0, audioSeconds: 0, ...period },
      limits: {
        requests: null,
        tokens: this.tokensPerMonth ?? null,
        storageBytes: null,
        audioSeconds: null,
        ...period,
      },
      percentUsed,
      // Nothing is refused for its quota before reservations exist, and the answer says so.
      enforcing: false,
      warning: percentUsed >= WARNING_PERCENT,
      exceeded: percentUsed >= 100,
    };
  }
}

/** The calendar month in UTC that holds `now`; the end is exclusive. */
export function monthOf(now: Date): { periodStart: Date; periodEnd: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { periodStart: new Date(Date.UTC(year, month)), periodEnd: new Date(Date.UTC(year, month + 1)) };
}
