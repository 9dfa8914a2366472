import type { Caller } from '../context.js';
import { hasPrivilege } from '../graph/access.js';

/** Whether the caller administers a tenant, and its token may be used for it. */
export function administers(caller: Caller, tenantId: string): boolean {
  const mayRead = caller.scopes.has('*') || caller.scopes.has('admin:read');
  return (
    mayRead && (hasPrivilege(caller, 'sysadmin') || (hasPrivilege(caller, 'admin') && caller.tenantId === tenantId))
  );
}
