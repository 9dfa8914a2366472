import { In, IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, Forbidden } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import { hasPrivilege } from '../../access/access-rule.js';
import { administersTenant, requireTenantAdmin, unknownTenant } from '../../access/tenancy.js';
import { notNull } from '../../graph/not-null.js';
import { isId, newId } from '../../platform/ids.js';
import { checkedName } from '../../platform/text/name.js';
import { Tenant } from './tenant.entity.js';
import type { Plan } from './tenant.entity.js';
import type { AccountErasure } from '../users/account-erasure.js';
import type { Accounts } from '../users/accounts.js';
import { keepSysadmin } from '../users/last-sysadmin.js';
import type { CreateTenantInput, UpdateTenantInput } from './tenant.inputs.js';

const MAX_NAME_CHARACTERS = 200;

interface TenantsParts {
  readonly dataSource: DataSource;
  readonly accounts: Accounts;
  readonly erasure: AccountErasure;
  readonly audit: AuditRecorder;
}

/** Reads and changes tenants. */
export class TenantsService {
  constructor(private readonly parts: TenantsParts) {}

  /**
   * A tenant that the caller administers.
   * @throws Forbidden; NotFound also for the tenants of others
   */
  async get(caller: Caller, id: string): Promise<Tenant> {
    requireTenantAdmin(caller, id);
    const tenant = await this.parts.dataSource.getRepository(Tenant).findOneBy({ id, deletedAt: IsNull() });
    if (!tenant) throw unknownTenant();
    return tenant;
  }

  /** A page of all tenants; only sysadmins come here. */
  async list(page: PageArgs): Promise<Connection<Tenant>> {
    const tenants = this.parts.dataSource.getRepository(Tenant);
    return readTablePage(page, tenants, { deletedAt: IsNull() }, (tenant) => tenant);
  }

  /**
   * Makes a tenant; only sysadmins come here.
   * @throws BadRequest that names the field
   */
  async create(caller: Caller, { name, plan }: CreateTenantInput): Promise<Tenant> {
    const tenants = this.parts.dataSource.getRepository(Tenant);
    const now = new Date();
    const made = tenants.create({
      id: newId('ten'),
      name: checkedName(name, MAX_NAME_CHARACTERS),
      plan: plan ?? 'free',
      allowedPlans: [],
      isDefault: false,
      registrationOpen: null,
      deletedAt: null,
      createdAt: now,
      updatedAt: now,
    });
    await this.parts.dataSource.transaction(async (tx) => {
      await tx.insert(Tenant, made);
      await this.record(tx, caller, null, 'tenant.create', made.id);
    });
    return made;
  }

  /**
   * Takes a tenant away with its users and all that they own; only sysadmins come here.
   * @throws NotFound; Conflict for the default tenant, for the caller's own, and for that of the last sysadmin
   */
  async delete(caller: Caller, id: string): Promise<void> {
    const { accounts, erasure } = this.parts;
    requireTenantAdmin(caller, id, 'admin:write');
    await accounts.change(async (change) => {
      const where = { id, deletedAt: IsNull() };
      const tenant = await change.tx.findOne(Tenant, { where, lock: { mode: 'pessimistic_write' } });
      if (!tenant) throw unknownTenant();
      if (tenant.isDefault) throw new Conflict('conflict', 'The default tenant cannot be deleted.');
      if (id === caller.tenantId) throw new Conflict('conflict', 'Your own tenant cannot be deleted by you.');
      await keepSysadmin(change.tx, () => erasure.deleteTenant(change, id));
      await this.record(change.tx, caller, null, 'tenant.delete', id);
    });
  }

  /** Those of the tenants that the caller may see: its own, and those that it administers. */
  async findMany(caller: Caller, ids: readonly string[]): Promise<Tenant[]> {
    const seen = ids.filter((id) => id === caller.tenantId || (isId('ten', id) && administersTenant(caller, id)));
    const where = { id: In(seen), deletedAt: IsNull() };
    return seen.length === 0 ? [] : this.parts.dataSource.getRepository(Tenant).findBy(where);
  }

  /**
   * Changes what the patch names.
   * @throws as `get` does; BadRequest that names the field; Forbidden for a plan that the tenant's administrators may not
   * choose
   */
  async update(caller: Caller, id: string, patch: UpdateTenantInput): Promise<Tenant> {
    requireTenantAdmin(caller, id, 'admin:write');
    const changes = checked(patch);
    return this.parts.dataSource.transaction(async (tx) => {
      const where = { id, deletedAt: IsNull() };
      const tenant = await tx.findOne(Tenant, { where, lock: { mode: 'pessimistic_write' } });
      if (!tenant) throw unknownTenant();
      if (Object.keys(changes).length === 0) return tenant;
      if (changes.plan && !mayChoose(caller, tenant, changes.plan)) {
        throw new Forbidden(`The plan ${changes.plan} is not open to this tenant's administrators.`);
      }
      const updated = { ...changes, updatedAt: new Date() };
      await tx.update(Tenant, { id }, updated);
      await this.record(tx, caller, id, 'tenant.update', id, `changed: ${Object.keys(changes).join(', ')}`);
      return Object.assign(tenant, updated);
    });
  }

  private record(
    tx: EntityManager,
    caller: Caller,
    tenantId: string | null,
    action: `tenant.${string}`,
    id: string,
    reason?: string,
  ): Promise<void> {
    return this.parts.audit.record(tx, actorOf(caller), { tenantId, action, target: { type: 'tenant', id }, reason });
  }
}

function mayChoose(caller: Caller, tenant: Tenant, plan: Plan): boolean {
  return hasPrivilege(caller, 'sysadmin') || plan === tenant.plan || tenant.allowedPlans.includes(plan);
}

function checked({ name, plan }: UpdateTenantInput): { name?: string; plan?: Plan } {
  return {
    ...(name !== undefined && { name: checkedName(notNull(name, 'name'), MAX_NAME_CHARACTERS) }),
    ...(plan !== undefined && { plan: notNull(plan, 'plan') }),
  };
}
