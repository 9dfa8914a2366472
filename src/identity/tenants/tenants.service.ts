import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Forbidden } from '../../errors.js';
import { hasPrivilege } from '../../access/access-rule.js';
import { administersTenant, requireTenantAdmin, unknownTenant } from '../../access/tenancy.js';
import { isId } from '../../platform/ids.js';
import { checkedName } from '../../platform/text/name.js';
import { Tenant } from './tenant.entity.js';
import type { Plan } from './tenant.entity.js';
import type { UpdateTenantInput } from './tenant.inputs.js';

const MAX_NAME_CHARACTERS = 200;

/** Reads and changes tenants. */
export class TenantsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * A tenant that the caller administers.
   * @throws Forbidden; NotFound also for the tenants of others
   */
  async get(caller: Caller, id: string): Promise<Tenant> {
    requireTenantAdmin(caller, id);
    const tenant = await this.dataSource.getRepository(Tenant).findOneBy({ id });
    if (!tenant) throw unknownTenant();
    return tenant;
  }

  /** Those of the tenants that the caller may see: its own, and those that it administers. */
  async findMany(caller: Caller, ids: readonly string[]): Promise<Tenant[]> {
    const seen = ids.filter((id) => id === caller.tenantId || (isId('ten', id) && administersTenant(caller, id)));
    return seen.length === 0 ? [] : this.dataSource.getRepository(Tenant).findBy({ id: In(seen) });
  }

  /**
   * Changes what the patch names.
   * @throws as `get` does; BadRequest that names the field; Forbidden for a plan that the tenant's administrators may not
   * choose
   */
  async update(caller: Caller, id: string, patch: UpdateTenantInput): Promise<Tenant> {
    requireTenantAdmin(caller, id, 'admin:write');
    const changes = checked(patch);
    return this.dataSource.transaction(async (tx) => {
      const tenant = await tx.findOne(Tenant, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!tenant) throw unknownTenant();
      if (Object.keys(changes).length === 0) return tenant;
      if (changes.plan && !mayChoose(caller, tenant, changes.plan)) {
        throw new Forbidden(`The plan ${changes.plan} is not open to this tenant's administrators.`);
      }
      const updated = { ...changes, updatedAt: new Date() };
      await tx.update(Tenant, { id }, updated);
      return Object.assign(tenant, updated);
    });
  }
}

function mayChoose(caller: Caller, tenant: Tenant, plan: Plan): boolean {
  return hasPrivilege(caller, 'sysadmin') || plan === tenant.plan || tenant.allowedPlans.includes(plan);
}

function checked({ name, plan }: UpdateTenantInput): { name?: string; plan?: Plan } {
  if (name === null) throw new BadRequest('name may be left out, but it must not be null.', 'name');
  if (plan === null) throw new BadRequest('plan may be left out, but it must not be null.', 'plan');
  return { ...(name !== undefined && { name: checkedName(name, MAX_NAME_CHARACTERS) }), ...(plan && { plan }) };
}
