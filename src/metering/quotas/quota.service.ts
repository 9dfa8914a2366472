import type { DataSource } from 'typeorm';
import { Forbidden } from '../../errors.js';
import { administersTenant } from '../../access/tenancy.js';
import type { Caller } from '../../access/caller.js';
import type { BlobOwner, StorageLimits } from '../../platform/blobs/blob.types.js';
import { monthOf, periodOf } from '../../platform/month.js';
import type { Quota } from './quota.types.js';

const WARNING_PERCENT = 80;

/** A row for each user, in their order: what it and its tenant have used, and what they may use. */
const READ = `
  SELECT coalesce(u.settled_calls, 0)::float8 AS calls, coalesce(u.settled_tokens, 0)::float8 AS tokens,
         coalesce(t.settled_calls, 0)::float8 AS tenant_calls, coalesce(t.settled_tokens, 0)::float8 AS tenant_tokens,
         coalesce(u.settled_audio_ms, 0)::float8 / 1000 AS audio,
         coalesce(t.settled_audio_ms, 0)::float8 / 1000 AS tenant_audio, q.enforcing, q.requests::float8 AS tenant_request_limit, q.tokens::float8 AS tenant_token_limit,
         q.user_requests::float8 AS request_limit, q.user_tokens::float8 AS token_limit,
         q.audio_seconds::float8 AS tenant_audio_limit, q.user_audio_seconds::float8 AS audio_limit,
         coalesce(us.bytes, 0)::float8 AS stored, coalesce(ts.bytes, 0)::float8 AS tenant_stored,
         q.user_storage_bytes::float8 AS storage_limit, q.storage_bytes::float8 AS tenant_storage_limit
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS of (tenant_id, user_id, place)
  LEFT JOIN quota_counters u ON u.subject = of.user_id AND u.period = $3::date
  LEFT JOIN quota_counters t ON t.subject = of.tenant_id AND t.period = $3::date
  LEFT JOIN storage_usage us ON us.subject = of.user_id
  LEFT JOIN storage_usage ts ON ts.subject = of.tenant_id
  LEFT JOIN tenant_quotas q ON q.tenant_id = of.tenant_id
  ORDER BY of.place`;

const STORAGE_LIMITS = `
  SELECT storage_bytes::float8 AS "tenantBytes", user_storage_bytes::float8 AS "userBytes" FROM tenant_quotas
  WHERE tenant_id = $1 AND enforcing`;

interface QuotaRow {
  readonly calls: number;
  readonly tokens: number;
  readonly tenant_calls: number;
  readonly tenant_tokens: number;
  /** Seconds. */
  readonly audio: number;
  readonly tenant_audio: number;
  readonly audio_limit: number | null;
  readonly tenant_audio_limit: number | null;
  /** Null: the tenant has no quota of its own. */
  readonly enforcing: boolean | null;
  readonly tenant_request_limit: number | null;
  readonly tenant_token_limit: number | null;
  readonly request_limit: number | null;
  readonly token_limit: number | null;
  /** Bytes. */
  readonly stored: number;
  readonly tenant_stored: number;
  readonly storage_limit: number | null;
  readonly tenant_storage_limit: number | null;
}

/** A user, as far as its quota needs to know. */
export interface QuotaOwner {
  readonly id: string;
  readonly tenantId: string;
}

/** Tells users what they have used this month, and of how much. */
export class QuotaService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly userTokens: number | undefined,
  ) {}

  /** The caller's own quota (docs/api.md, Quota). */
  async own(caller: Caller): Promise<Quota> {
    const [quota] = await this.read([{ id: caller.userId, tenantId: caller.tenantId }]);
    return quota as Quota;
  }

  /**
   * The quotas of users by their ids.
   * @throws Forbidden unless the caller is each of them or its administrator
   */
  async ofUsers(caller: Caller, users: readonly QuotaOwner[]): Promise<Map<string, Quota>> {
    const isSeen = ({ id, tenantId }: QuotaOwner): boolean =>
      caller.userId === id || administersTenant(caller, tenantId);
    if (!users.every(isSeen)) throw new Forbidden('Only administrators see the quota of others.');
    const quotas = await this.read(users);
    return new Map(users.map(({ id }, index) => [id, quotas[index] as Quota]));
  }

  /** How much a user and its tenant may store; null where they may store any amount, or limits are only reported. */
  async storageLimits({ tenantId }: BlobOwner): Promise<StorageLimits> {
    const [limits] = await this.dataSource.query<StorageLimits[]>(STORAGE_LIMITS, [tenantId]);
    return limits ?? { tenantBytes: null, userBytes: null };
  }

  private async read(users: readonly QuotaOwner[]): Promise<Quota[]> {
    const now = new Date();
    const tenants = users.map(({ tenantId }) => tenantId);
    const ids = users.map(({ id }) => id);
    const rows = await this.dataSource.query<QuotaRow[]>(READ, [tenants, ids, periodOf(now)]);
    return rows.map((row, index) => this.toQuota(ids[index] as string, row, monthOf(now)));
  }

  private toQuota(id: string, row: QuotaRow, month: ReturnType<typeof monthOf>): Quota {
    const inherits = row.enforcing === null;
    const tokens = inherits ? (this.userTokens ?? null) : row.token_limit;
    const percentUsed = Math.max(
      percentOf(row.calls, row.request_limit),
      percentOf(row.tokens, tokens),
      percentOf(row.tenant_calls, row.tenant_request_limit),
      percentOf(row.tenant_tokens, row.tenant_token_limit),
      percentOf(row.audio, row.audio_limit),
      percentOf(row.tenant_audio, row.tenant_audio_limit),
      percentOf(row.stored, row.storage_limit),
      percentOf(row.tenant_stored, row.tenant_storage_limit),
    );
    return {
      id,
      usage: {
        requests: row.calls,
        tokens: row.tokens,
        storageBytes: row.stored,
        audioSeconds: Math.ceil(row.audio),
        ...month,
      },
      limits: {
        requests: row.request_limit,
        tokens,
        storageBytes: row.storage_limit,
        audioSeconds: row.audio_limit,
        ...month,
      },
      percentUsed,
      enforcing: row.enforcing ?? this.userTokens !== undefined,
      warning: percentUsed >= WARNING_PERCENT,
      exceeded: percentUsed >= 100,
    };
  }
}

/** A limit of none is used up from the beginning. */
function percentOf(used: number, limit: number | null): number {
  if (limit === null) return 0;
  return limit === 0 ? 100 : (used / limit) * 100;
}
