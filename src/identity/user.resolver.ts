import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Access, callerOf } from '../graph/access.js';
import { batched, toMapById } from '../graph/batched.js';
import type { TenantsService } from './tenants.service.js';
import { Tenant } from './tenant.entity.js';
import { User } from './user.entity.js';
import type { UsersService } from './users.service.js';

/** Users. */
@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly users: UsersService,
    private readonly tenants: TenantsService,
  ) {}

  private readonly tenantsOf = batched(
    async (context, ids: readonly string[]) => toMapById(await this.tenants.findMany(callerOf(context), ids)),
    (id) => id,
  );

  @Access({ credential: 'bearer' })
  @Query(() => User, { description: 'The user that the token belongs to.' })
  me(@Ctx() context: RequestContext): Promise<User> {
    return this.users.me(callerOf(context));
  }

  @Access({ credential: 'bearer' })
  @FieldResolver(() => Tenant, { nullable: true, description: 'The tenant that the user belongs to.' })
  async tenant(@Root() user: User, @Ctx() context: RequestContext): Promise<Tenant | null> {
    // Lists of a tenant's users bring it along.
    return user.tenant ?? this.tenantsOf(context).load(user.tenantId);
  }
}
