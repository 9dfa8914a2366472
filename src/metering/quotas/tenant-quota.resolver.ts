import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { TenantQuotaInput, TenantQuotaSettings } from './tenant-quota.types.js';
import type { TenantQuotasService } from './tenant-quotas.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'sysadmin' } as const;

/** What tenants may use: administrators see it, whoever runs the platform sets it. */
@Resolver(() => TenantQuotaSettings)
export class TenantQuotaResolver {
  constructor(private readonly quotas: TenantQuotasService) {}

  @FieldResolver(() => ID, { name: 'id', description: 'The id of its tenant, which has one.' })
  settingsId(@Root() { tenantId }: TenantQuotaSettings): string {
    return tenantId;
  }

  @Access(read)
  @Query(() => TenantQuotaSettings, { description: 'What a tenant may use in a month.' })
  tenantQuota(
    @Arg('tenantId', () => ID, { description: 'The own tenant; for a sysadmin any.' }) tenantId: string,
    @Ctx() context: RequestContext,
  ): Promise<TenantQuotaSettings> {
    return this.quotas.get(callerOf(context), tenantId);
  }

  @Access(write)
  @Mutation(() => TenantQuotaSettings, {
    description: 'Set what a tenant may use in a month; it counts from the next call on.',
  })
  setTenantQuota(
    @Arg('tenantId', () => ID, { description: 'Any tenant.' }) tenantId: string,
    @Arg('quota', () => TenantQuotaInput, { description: 'The whole quota, in place of the one before.' })
    quota: TenantQuotaInput,
    @Ctx() context: RequestContext,
  ): Promise<TenantQuotaSettings> {
    return this.quotas.set(callerOf(context), tenantId, quota);
  }
}
