import type { DataSource } from 'typeorm';
import type { CallOwner } from '../../access/caller.js';
import { periodOf } from '../../platform/month.js';
import { quotaExceeded } from './quota-exceeded.js';

/** As the ledger admits calls: what is used and reserved counts, and a tenant's quota takes the place of the default. */
const USED_UP = `
  SELECT coalesce(bool_or(c.calls >= c.most_calls), false) AS requests,
         coalesce(bool_or(c.tokens >= c.most_tokens), false) AS tokens,
         coalesce(bool_or(c.audio >= c.most_audio), false) AS audio
  FROM (
    SELECT coalesce(n.open_calls + n.settled_calls, 0) AS calls,
           coalesce(n.reserved_tokens + n.settled_tokens, 0) AS tokens,
           coalesce(n.reserved_audio_ms + n.settled_audio_ms, 0) AS audio,
           CASE WHEN q.enforcing THEN CASE WHEN of.is_user THEN q.user_requests ELSE q.requests END END AS most_calls,
           CASE WHEN q.enforcing THEN CASE WHEN of.is_user THEN q.user_tokens ELSE q.tokens END
                WHEN q.tenant_id IS NULL AND of.is_user THEN $4::bigint END AS most_tokens,
           CASE WHEN q.enforcing THEN CASE WHEN of.is_user THEN q.user_audio_seconds ELSE q.audio_seconds END END
             * 1000 AS most_audio
    FROM (VALUES ($1::text, false), ($2::text, true)) AS of (subject, is_user)
    LEFT JOIN tenant_quotas q ON q.tenant_id = $1
    LEFT JOIN quota_counters n ON n.subject = of.subject AND n.period = $3::date
  ) c`;

/** Tells before the input of a call is received that no call would be admitted. What is admitted is told by the ledger alone. */
export class QuotaLeft {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: { readonly userTokens: number | undefined; readonly requestsPerMinute: number },
  ) {}

  /** @throws QuotaExceeded where an enforced quota of the caller or of its tenant has nothing left for a call with audio */
  async requireAudio({ tenantId, userId }: Pick<CallOwner, 'tenantId' | 'userId'>): Promise<void> {
    const { userTokens, requestsPerMinute } = this.limits;
    const values = [tenantId, userId, periodOf(new Date()), userTokens ?? null];
    const [usedUp] = await this.dataSource.query<Record<'requests' | 'tokens' | 'audio', boolean>[]>(USED_UP, values);
    const limit = (['requests', 'tokens', 'audio'] as const).find((one) => usedUp?.[one]);
    if (limit) throw quotaExceeded(limit, requestsPerMinute);
  }
}
