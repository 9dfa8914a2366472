import type { Caller } from './caller.js';
import { hasPrivilege, hasScope } from './access-rule.js';

/** Whether the caller administers a tenant, and its token may be used for it. */
export function administersTenant(caller: Caller, tenantId: string): boolean {
  return (
    hasScope(caller, 'admin:read') &&
    (hasPrivilege(caller, 'sysadmin') || (hasPrivilege(caller, 'admin') && caller.tenantId === tenantId))
  );
}
