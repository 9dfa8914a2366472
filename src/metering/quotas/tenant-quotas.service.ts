import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest, NotFound } from '../../errors.js';
import { hasPrivilege } from '../../access/access-rule.js';
import { isId } from '../../platform/ids.js';
import type { TokenLimits } from './token-limits.js';
import type { TenantQuotaInput, TenantQuotaSettings } from './tenant-quota.types.js';

const LIMITS = ['requests', 'tokens', 'userRequests', 'userTokens'] as const;

const COLUMNS = `
  tenant_id AS "tenantId", enforcing, requests::float8, tokens::float8, user_requests::float8 AS "userRequests",
  user_tokens::float8 AS "userTokens", tenant_quotas.updated_at AS "updatedAt"`;

const SET = `
  INSERT INTO tenant_quotas (tenant_id, enforcing, requests, tokens, user_requests, user_tokens, updated_at)
  SELECT id, $2, $3, $4, $5, $6, now() FROM tenants WHERE id = $1
  ON CONFLICT (tenant_id) DO UPDATE
  SET enforcing = EXCLUDED.enforcing, requests = EXCLUDED.requests, tokens = EXCLUDED.tokens,
      user_requests = EXCLUDED.user_requests, user_tokens = EXCLUDED.user_tokens, updated_at = EXCLUDED.updated_at
  RETURNING ${COLUMNS}`;

/** What each tenant may use in a month. The ledger reads it with every call, on every replica. */
export class TenantQuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly userTokens: number | undefined,
    private readonly limits: Pick<TokenLimits, 'changed'>,
  ) {}

  /**
   * The quota of a tenant that the caller administers; the server's defaults where none was set.
   * @throws NotFound also for the tenants of others
   */
  async get(caller: Caller, tenantId: string): Promise<TenantQuotaSettings> {
    const isOwn = tenantId === caller.tenantId || hasPrivilege(caller, 'sysadmin');
    if (!isOwn || !isId('ten', tenantId)) throw unknownTenant();
    const [row] = await this.dataSource.query<TenantQuotaSettings[]>(
      `SELECT ${COLUMNS} FROM tenant_quotas WHERE tenant_id = $1`,
      [tenantId],
    );
    return row ?? this.defaults(tenantId);
  }

  /**
   * Sets the quota of a tenant.
   * @throws NotFound; BadRequest that names the limit
   */
  async set(tenantId: string, quota: TenantQuotaInput): Promise<TenantQuotaSettings> {
    if (!isId('ten', tenantId)) throw unknownTenant();
    const limits = LIMITS.map((name) => checkedLimit(name, quota[name]));
    const [row] = await this.dataSource.query<TenantQuotaSettings[]>(SET, [tenantId, quota.enforcing, ...limits]);
    if (!row) throw unknownTenant();
    this.limits.changed(tenantId);
    return row;
  }

  private async defaults(tenantId: string): Promise<TenantQuotaSettings> {
    const [tenant] = await this.dataSource.query<object[]>('SELECT FROM tenants WHERE id = $1', [tenantId]);
    if (!tenant) throw unknownTenant();
    const none = { requests: null, tokens: null, userRequests: null, updatedAt: null };
    const userTokens = this.userTokens ?? null;
    return { tenantId, enforcing: userTokens !== null, userTokens, ...none };
  }
}

function checkedLimit(name: string, limit: number | null | undefined): number | null {
  if (limit === undefined || limit === null) return null;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new BadRequest(`${name} must be a whole number from 0.`, name);
  return limit;
}

function unknownTenant(): NotFound {
  return new NotFound('The tenant does not exist.');
}
