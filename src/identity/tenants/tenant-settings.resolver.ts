import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { TenantSettingsService } from './tenant-settings.service.js';
import { TenantSettings, TenantSettingsInput } from './tenant-settings.types.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** The settings of tenants, for their administrators. */
@Resolver(() => TenantSettings)
export class TenantSettingsResolver {
  constructor(private readonly settings: TenantSettingsService) {}

  @FieldResolver(() => ID, { name: 'id', description: 'The id of its tenant, which has one.' })
  settingsId(@Root() { tenantId }: TenantSettings): string {
    return tenantId;
  }

  @Access(read)
  @Query(() => TenantSettings, { description: 'Who may join a tenant, and what its administrators may choose.' })
  tenantSettings(
    @Arg('tenantId', () => ID, { description: 'The own tenant; for a sysadmin any.' }) tenantId: string,
    @Ctx() context: RequestContext,
  ): Promise<TenantSettings> {
    return this.settings.get(callerOf(context), tenantId);
  }

  @Access(write)
  @Mutation(() => TenantSettings, { description: 'Replace the settings of a tenant.' })
  setTenantSettings(
    @Arg('tenantId', () => ID, { description: 'The own tenant; for a sysadmin any.' }) tenantId: string,
    @Arg('settings', () => TenantSettingsInput, { description: 'The whole settings, in place of those before.' })
    settings: TenantSettingsInput,
    @Ctx() context: RequestContext,
  ): Promise<TenantSettings> {
    return this.settings.set(callerOf(context), tenantId, settings);
  }
}
