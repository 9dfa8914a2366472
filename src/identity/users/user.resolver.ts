import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestLoader } from '../../graph/request-loader.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';
import type { UsersService } from './users.service.js';

/** Users. */
@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly users: UsersService,
    private readonly tenants: RequestLoader<string, Tenant>,
  ) {}

  @Access({ credential: 'bearer' })
  @Query(() => User, { description: 'The user that the token belongs to.' })
  me(@Ctx() context: RequestContext): Promise<User> {
    return this.users.me(callerOf(context));
  }

  @Access({ credential: 'bearer' })
  @FieldResolver(() => Tenant, { nullable: true, description: 'The tenant that the user belongs to.' })
  async tenant(@Root() user: User, @Ctx() context: RequestContext): Promise<Tenant | null> {
    // Lists of a tenant's users bring it along.
    return user.tenant ?? this.tenants(context).load(user.tenantId);
  }
}
