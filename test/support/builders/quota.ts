import { defaultTenantId } from './accounts.js';
import type { Gateway } from '../servers/gateway.js';
import type { RestAnswer } from '../servers/platform.js';

/** A platform and whoever asks it. */
type Asked = Pick<Gateway, 'platform' | 'token'>;

/** What a caller has used of this month. */
export interface MonthUsage {
  readonly requests: number;
  readonly tokens: number;
}

/** Reads what a caller has used of this month. */
export async function usedOf({ platform, token }: Asked): Promise<MonthUsage> {
  return (await platform.request('GET', '/v1/quota', { token })).body.usage;
}

/**
 * Sets the quota of a tenant, as the administrator of all.
 * @param quota as REST takes it, such as `{ enforcing: true, tokens: 100 }`
 * @param tenantId default: that of the administrator
 */
export async function setQuota({ platform, token }: Asked, quota: object, tenantId?: string): Promise<RestAnswer> {
  const path = `/v1/admin/tenants/${tenantId ?? (await defaultTenantId(platform))}/quota`;
  return platform.request('PUT', path, { token, body: quota });
}
