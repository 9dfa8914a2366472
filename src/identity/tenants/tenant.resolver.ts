import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { CreateTenantInput, UpdateTenantInput } from './tenant.inputs.js';
import { Tenant, TenantConnection } from './tenant.entity.js';
import type { TenantsService } from './tenants.service.js';
import { UserConnection } from '../users/user.entity.js';
import type { User } from '../users/user.entity.js';
import type { UsersService } from '../users/users.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

const readAll = { credential: 'bearer', scope: 'admin:read', privilege: 'sysadmin' } as const;
const writeAll = { credential: 'bearer', scope: 'admin:write', privilege: 'sysadmin' } as const;

/** Tenants, for their administrators. */
@Resolver(() => Tenant)
export class TenantResolver {
  constructor(
    private readonly service: TenantsService,
    private readonly users: UsersService,
  ) {}

  @Access(read)
  @Query(() => Tenant, { description: 'A tenant that the caller administers.' })
  tenant(
    @Arg('id', () => ID, { description: 'The own tenant; for a sysadmin any.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Tenant> {
    return this.service.get(callerOf(context), id);
  }

  @Access(readAll)
  @Query(() => TenantConnection, { description: 'All tenants.' })
  tenants(@Args(() => PageArgs) page: PageArgs): Promise<Connection<Tenant>> {
    return this.service.list(page);
  }

  @Access(writeAll)
  @Mutation(() => Tenant, { description: 'Make a tenant.' })
  createTenant(
    @Arg('input', () => CreateTenantInput, { description: 'What it is called, and its plan.' })
    input: CreateTenantInput,
    @Ctx() context: RequestContext,
  ): Promise<Tenant> {
    return this.service.create(callerOf(context), input);
  }

  @Access(writeAll)
  @Mutation(() => Deletion, { description: 'Delete a tenant with its users and all that they own.' })
  async deleteTenant(
    @Arg('id', () => ID, { description: 'Of the tenant.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }

  @Access(write)
  @Mutation(() => Tenant, { description: 'Rename a tenant or change its plan.' })
  updateTenant(
    @Arg('id', () => ID, { description: 'The own tenant; for a sysadmin any.' }) id: string,
    @Arg('patch', () => UpdateTenantInput, { description: 'What is left out keeps its value.' })
    patch: UpdateTenantInput,
    @Ctx() context: RequestContext,
  ): Promise<Tenant> {
    return this.service.update(callerOf(context), id, patch);
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
