import { In, IsNull, Not } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { z } from 'zod';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasPrivilege } from '../../access/access-rule.js';
import type { Caller } from '../../access/caller.js';
import { requireTenantAdmin, unknownTenant } from '../../access/tenancy.js';
import { BadRequest, Conflict, Forbidden } from '../../errors.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { emailDomains } from '../users/email-domain.js';
import { Tenant } from './tenant.entity.js';
import type { Plan } from './tenant.entity.js';
import { TenantDomain } from './tenant-domain.entity.js';
import type { TenantSettings, TenantSettingsInput } from './tenant-settings.types.js';

/** Reads and replaces the settings of tenants. Their administrators may narrow them; sysadmins decide freely. */
export class TenantSettingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws Forbidden; NotFound also for the tenants of others */
  async get(caller: Caller, tenantId: string): Promise<TenantSettings> {
    requireTenantAdmin(caller, tenantId);
    return this.read(this.dataSource.manager, tenantId);
  }

  /**
   * Replaces the settings of a tenant.
   * @throws as `get` does; BadRequest that names the field; Forbidden where an administrator of the tenant widens them;
   * Conflict where another tenant, or the identity provider of another, has a domain
   */
  async set(caller: Caller, tenantId: string, input: TenantSettingsInput): Promise<TenantSettings> {
    requireTenantAdmin(caller, tenantId, 'admin:write');
    const allowedDomains = checkedDomains(input.allowedDomains ?? []);
    const next = {
      allowedDomains,
      registrationOpen: input.registrationOpen ?? null,
      allowedPlans: input.allowedPlans ?? [],
    };
    try {
      return await this.dataSource.transaction(async (tx) => {
        const before = await this.read(tx, tenantId, true);
        if (!hasPrivilege(caller, 'sysadmin')) requireNarrower(before, next);
        await requireFreeDomains(tx, tenantId, allowedDomains);
        const { registrationOpen, allowedPlans } = next;
        await tx.update(Tenant, { id: tenantId }, { registrationOpen, allowedPlans, updatedAt: new Date() });
        await tx.delete(TenantDomain, { tenantId });
        if (allowedDomains.length > 0) {
          await tx.insert(
            TenantDomain,
            allowedDomains.map((domain) => ({ domain, tenantId })),
          );
        }
        const target = { type: 'tenant', id: tenantId };
        await this.audit.record(tx, actorOf(caller), { tenantId, action: 'tenant_settings.update', target });
        return this.read(tx, tenantId);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw taken();
      throw error;
    }
  }

  private async read(tx: EntityManager, tenantId: string, locked = false): Promise<TenantSettings> {
    const lock = locked ? ({ mode: 'pessimistic_write' } as const) : undefined;
    const tenant = await tx.findOne(Tenant, { where: { id: tenantId, deletedAt: IsNull() }, lock });
    if (!tenant) throw unknownTenant();
    const domains = await tx.find(TenantDomain, { where: { tenantId }, order: { domain: 'ASC' } });
    const { registrationOpen, allowedPlans, updatedAt } = tenant;
    return { tenantId, allowedDomains: domains.map(({ domain }) => domain), registrationOpen, allowedPlans, updatedAt };
  }
}

function checkedDomains(domains: readonly string[]): string[] {
  const parsed = emailDomains.safeParse(domains);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'are not valid' }] = parsed.error.issues;
  const place = z.core.toDotPath(path);
  throw new BadRequest(`allowedDomains${place}: ${message}`, 'allowedDomains');
}

interface Bounds {
  readonly allowedDomains: readonly string[];
  readonly registrationOpen: boolean | null;
  readonly allowedPlans: readonly Plan[];
}

function requireNarrower(before: Bounds, next: Bounds): void {
  const isNarrower =
    next.allowedDomains.every((domain) => before.allowedDomains.includes(domain)) &&
    next.allowedPlans.every((plan) => before.allowedPlans.includes(plan)) &&
    (next.registrationOpen === before.registrationOpen || next.registrationOpen === false);
  if (isNarrower) return;
  throw new Forbidden('Domains and plans are added, and registration is opened, by sysadmins.');
}

/** @throws Conflict where the people of a domain are another tenant's */
async function requireFreeDomains(tx: EntityManager, tenantId: string, domains: readonly string[]): Promise<void> {
  if (domains.length === 0) return;
  const listed = await tx.existsBy(TenantDomain, { domain: In(domains), tenantId: Not(tenantId) });
  const known = await tx.query<object[]>(
    `SELECT FROM provider_domains d JOIN identity_providers p ON p.id = d.provider_id
     WHERE d.domain = ANY ($1) AND p.tenant_id <> $2 LIMIT 1`,
    [domains, tenantId],
  );
  if (listed || known.length > 0) throw taken();
}

function taken(): Conflict {
  return new Conflict('conflict', 'One of the domains belongs to another tenant.', 'allowedDomains');
}
