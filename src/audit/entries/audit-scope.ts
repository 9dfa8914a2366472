import { requireTenantAdmin, tenantScope, unknownTenant } from '../../access/tenancy.js';
import type { Caller } from '../../access/caller.js';
import { Forbidden } from '../../errors.js';
import type { TenantDirectory } from '../../identity/domain.js';
import { PLATFORM_CHAIN } from './audit-entry.entity.js';

/**
 * The chain that a caller reads; undefined: all of them, for a sysadmin who asks for none.
 * @param wanted a tenant's id, or `platform`
 * @throws Forbidden for the platform's chain, NotFound for that of another tenant
 */
export async function chainToRead(
  tenants: Pick<TenantDirectory, 'exists'>,
  caller: Caller,
  wanted: string | null | undefined,
): Promise<string | undefined> {
  const { tenantId: only } = tenantScope(caller);
  if (wanted == null) return only;
  if (wanted === PLATFORM_CHAIN) {
    if (only === undefined) return wanted;
    throw new Forbidden("The platform's chain is for sysadmins alone.");
  }
  requireTenantAdmin(caller, wanted);
  // That it was read is written into the chain: it must be somebody's.
  if (!(await tenants.exists(wanted))) throw unknownTenant();
  return wanted;
}
