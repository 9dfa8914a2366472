import { Forbidden, NotFound } from '../errors.js';
import { isForeignKeyViolation } from '../platform/database/postgres-errors.js';
import { isId } from '../platform/ids.js';
import { hasPrivilege, hasScope } from './access-rule.js';
import type { Caller } from './caller.js';

/** What a token must be good for where its holder acts as an administrator. */
export type AdminScope = 'admin:read' | 'admin:write';

/**
 * The tenants whose rows a caller may reach, as a condition of a query: its own, or all of them (no condition) for a
 * sysadmin whose token has the scope.
 */
export function tenantScope(caller: Caller, scope: AdminScope = 'admin:read'): { readonly tenantId?: string } {
  return isAdmin(caller, scope) && hasPrivilege(caller, 'sysadmin') ? {} : { tenantId: caller.tenantId };
}

/** Whether the caller administers a tenant, as its admin or as a sysadmin, and its token has the scope. */
export function administersTenant(caller: Caller, tenantId: string, scope: AdminScope = 'admin:read'): boolean {
  const { tenantId: only = tenantId } = tenantScope(caller, scope);
  return isAdmin(caller, scope) && only === tenantId;
}

/**
 * Refuses whoever does not administer a tenant.
 * @throws Forbidden where the caller is no administrator, or its token lacks the scope; NotFound for the tenants of
 * others, as for what is no id of a tenant. Whether a sysadmin's tenant exists is not looked up.
 */
export function requireTenantAdmin(caller: Caller, tenantId: string, scope: AdminScope = 'admin:read'): void {
  if (!isAdmin(caller, scope)) throw new Forbidden('This is for administrators alone.');
  if (!isId('ten', tenantId) || !administersTenant(caller, tenantId, scope)) throw unknownTenant();
}

/** What a caller is told of a tenant that does not exist, or is none of its business. */
export function unknownTenant(): NotFound {
  return new NotFound('The tenant does not exist.');
}

/**
 * To be called with the failure of a write whose row belongs to a tenant: its foreign key looks for the tenant.
 * @throws NotFound where there is no such tenant; any other failure as it came
 */
export function rethrowUnknownTenant(failure: unknown): never {
  throw isForeignKeyViolation(failure) ? unknownTenant() : failure;
}

function isAdmin(caller: Caller, scope: AdminScope): boolean {
  return hasScope(caller, scope) && hasPrivilege(caller, 'admin');
}
