import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { UpdateTenantInput } from './tenant.inputs.js';
import { Tenant } from './tenant.entity.js';
import type { TenantsService } from './tenants.service.js';
import { UserConnection } from '../users/user.entity.js';
import type { User } from '../users/user.entity.js';
import type { UsersService } from '../users/users.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** Tenants, for their administrators. */
@Resolver(() => Tenant)
export class TenantResolver {
  constructor(
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
  ) {}

  @Access(read)
  @Query(() => Tenant, { description: 'A tenant that the caller administers.' })
  tenant(
    @Arg('id', () => ID, { description: 'The own tenant; for a sysadmin any.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Tenant> {
    return this.tenants.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => Tenant, { description: 'Rename a tenant or change its plan.' })
  updateTenant(
    @Arg('id', () => ID, { description: 'The own tenant; for a sysadmin any.' }) id: string,
    @Arg('patch', () => UpdateTenantInput, { description: 'What is left out keeps its value.' })
    patch: UpdateTenantInput,
    @Ctx() context: RequestContext,
  ): Promise<Tenant> {
    return this.tenants.update(callerOf(context), id, patch);
  }

  @Access(read)
  @FieldResolver(() => UserConnection, { name: 'users', description: 'The users of the tenant.' })
  usersOf(
    @Root() tenant: Tenant,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<User>> {
    return this.users.ofTenant(callerOf(context), tenant, page);
  }
}
