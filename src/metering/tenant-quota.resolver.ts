import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Access, callerOf } from '../graph/access.js';
import { TenantQuotaInput, TenantQuotaSettings } from './tenant-quota.types.js';
import type { TenantQuotasService } from './tenant-quotas.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'sysadmin' } as const;

/** What tenants may use: administrators see it, whoever runs the platform sets it. */
@Resolver()
export class TenantQuotaResolver {
  constructor(private readonly quotas: TenantQuotasService) {}

  @Access(read)
  @Query(() => TenantQuotaSettings, { description: 'What a tenant may use in a month.' })
  tenantQuota(
    @Arg('tenantId', () => ID) tenantId: string,
    @Ctx() context: RequestContext,
  ): Promise<TenantQuotaSettings> {
    return this.quotas.get(callerOf(context), tenantId);
  }

  @Access(write)
  @Mutation(() => TenantQuotaSettings, {
    description: 'Set what a tenant may use in a month; it counts from the next call on.',
  })
  setTenantQuota(
    @Arg('tenantId', () => ID) tenantId: string,
    @Arg('quota', () => TenantQuotaInput) quota: TenantQuotaInput,
  ): Promise<TenantQuotaSettings> {
    return this.quotas.set(tenantId, quota);
  }
}
