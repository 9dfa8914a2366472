import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { requireTenantAdmin, rethrowUnknownTenant, unknownTenant } from '../../access/tenancy.js';
import type { TenantDirectory } from '../../identity/domain.js';
import type { TenantQuotaInput, TenantQuotaSettings } from './tenant-quota.types.js';

const LIMITS = [
  'requests',
  'tokens',
  'userRequests',
  'userTokens',
  'storageBytes',
  'userStorageBytes',
  'audioSeconds',
  'userAudioSeconds',
] as const;

const COLUMNS = `
  tenant_id AS "tenantId", enforcing, requests::float8, tokens::float8, user_requests::float8 AS "userRequests",
  user_tokens::float8 AS "userTokens", storage_bytes::float8 AS "storageBytes",
  user_storage_bytes::float8 AS "userStorageBytes", audio_seconds::float8 AS "audioSeconds",
  user_audio_seconds::float8 AS "userAudioSeconds", tenant_quotas.updated_at AS "updatedAt"`;

const SET = `
  INSERT INTO tenant_quotas (tenant_id, enforcing, requests, tokens, user_requests, user_tokens, storage_bytes,
                             user_storage_bytes, audio_seconds, user_audio_seconds, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
  ON CONFLICT (tenant_id) DO UPDATE
  SET enforcing = EXCLUDED.enforcing, requests = EXCLUDED.requests, tokens = EXCLUDED.tokens,
      user_requests = EXCLUDED.user_requests, user_tokens = EXCLUDED.user_tokens, storage_bytes = EXCLUDED.storage_bytes,
      user_storage_bytes = EXCLUDED.user_storage_bytes, audio_seconds = EXCLUDED.audio_seconds,
      user_audio_seconds = EXCLUDED.user_audio_seconds, updated_at = EXCLUDED.updated_at
  RETURNING ${COLUMNS}`;

/** What each tenant may use in a month. The ledger reads it with every call, on every replica. */
export class TenantQuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenants: Pick<TenantDirectory, 'exists'>,
    private readonly userTokens: number | undefined,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * The quota of a tenant that the caller administers; the server's defaults where none was set.
   * @throws NotFound also for the tenants of others
   */
  async get(caller: Caller, tenantId: string): Promise<TenantQuotaSettings> {
    requireTenantAdmin(caller, tenantId);
    const [row] = await this.dataSource.query<TenantQuotaSettings[]>(
      `SELECT ${COLUMNS} FROM tenant_quotas WHERE tenant_id = $1`,
      [tenantId],
    );
    return row ?? this.defaults(tenantId);
  }

  /**
   * Sets the quota of a tenant; only sysadmins come here.
   * @throws NotFound; BadRequest that names the limit
   */
  async set(caller: Caller, tenantId: string, quota: TenantQuotaInput): Promise<TenantQuotaSettings> {
    requireTenantAdmin(caller, tenantId, 'admin:write');
    const limits = LIMITS.map((name) => checkedLimit(name, quota[name]));
    const values = [tenantId, quota.enforcing, ...limits];
    const write = this.dataSource.transaction(async (tx) => {
      const [row] = await tx.query<[TenantQuotaSettings]>(SET, values);
      const target = { type: 'tenant', id: tenantId };
      await this.audit.record(tx, actorOf(caller), { tenantId, action: 'tenant_quota.update', target });
      return row;
    });
    return write.catch(rethrowUnknownTenant);
  }

  private async defaults(tenantId: string): Promise<TenantQuotaSettings> {
    if (!(await this.tenants.exists(tenantId))) throw unknownTenant();
    const userTokens = this.userTokens ?? null;
    const none = {
      requests: null,
      tokens: null,
      userRequests: null,
      storageBytes: null,
      userStorageBytes: null,
      audioSeconds: null,
      userAudioSeconds: null,
    };
    return { tenantId, enforcing: userTokens !== null, userTokens, ...none, updatedAt: null };
  }
}

function checkedLimit(name: string, limit: number | null | undefined): number | null {
  if (limit === undefined || limit === null) return null;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new BadRequest(`${name} must be a whole number from 0.`, name);
  return limit;
}
