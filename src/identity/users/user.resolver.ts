import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { serviceActorOf } from '../../access/audit-actor.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestLoader } from '../../graph/request-loader.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { Success } from '../authentication/auth.types.js';
import { Tenant } from '../tenants/tenant.entity.js';
import type { UserAdministrationService } from './user-administration.service.js';
import { User, UserConnection, UserStatus } from './user.entity.js';
import { InviteUserInput, UpdateUserInput } from './user.inputs.js';
import type { UsersService } from './users.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** Users. */
@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly users: UsersService,
    private readonly administration: UserAdministrationService,
    private readonly tenants: RequestLoader<string, Tenant>,
  ) {}

  @Access({ credential: 'bearer' })
  @Query(() => User, { description: 'The user that the token belongs to.' })
  me(@Ctx() context: RequestContext): Promise<User> {
    return this.users.me(callerOf(context));
  }

  @Access(read)
  @Query(() => UserConnection, { name: 'users', description: 'Users of the tenants that the caller administers.' })
  listUsers(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Arg('search', () => String, { nullable: true, description: 'What the address or the name begins with.' })
    search?: string | null,
    @Arg('status', () => UserStatus, { nullable: true, description: 'Those whose status this is.' })
    status?: UserStatus | null,
  ): Promise<Connection<User>> {
    return this.users.list(callerOf(context), { search, status }, page);
  }

  @Access(read)
  @Query(() => User, { description: 'A user of a tenant that the caller administers.' })
  user(
    @Arg('id', () => ID, { description: 'Of the user.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return this.users.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => User, { description: 'Make an account, and mail a link by which its user chooses the password.' })
  inviteUser(
    @Arg('input', () => InviteUserInput, { description: 'Who is invited.' }) input: InviteUserInput,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return this.administration.invite(callerOf(context), context, input);
  }

  @Access(write)
  @Mutation(() => User, { description: 'Change a user; where privileges or status change, the sessions end.' })
  updateUser(
    @Arg('id', () => ID, { description: 'Of the user.' }) id: string,
    @Arg('patch', () => UpdateUserInput, { description: 'What is left out keeps its value.' }) patch: UpdateUserInput,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return this.administration.update(callerOf(context), id, patch);
  }

  @Access(write)
  @Mutation(() => Success, { description: 'Sign a user out everywhere.' })
  async endSessionsOfUser(
    @Arg('id', () => ID, { description: 'Of the user.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Success> {
    await this.administration.endSessions(callerOf(context), id);
    return { success: true };
  }

  @Access({ credential: 'service' })
  @Mutation(() => Deletion, { description: 'Delete a user with all that the user owns. For services.' })
  async deleteUser(
    @Arg('id', () => ID, { description: 'Of the user.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.administration.delete(serviceActorOf(context), id);
    return { id, success: true };
  }

  @Access({ credential: 'bearer' })
  @FieldResolver(() => Tenant, { nullable: true, description: 'The tenant that the user belongs to.' })
  async tenant(@Root() user: User, @Ctx() context: RequestContext): Promise<Tenant | null> {
    // Lists of a tenant's users bring it along.
    return user.tenant ?? this.tenants(context).load(user.tenantId);
  }
}
