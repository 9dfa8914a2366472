import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import {
  IdentityProviderConnection,
  IdentityProviderInput,
  IdentityProviderKind,
  IdentityProviderStatus,
  IdentityProviderTest,
  IdentityProviderView,
} from './identity-provider.types.js';
import type { IdentityProvidersService } from './identity-providers.service.js';
import type { ProviderKind } from './provider-settings.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;
const decide = { credential: 'bearer', scope: 'admin:write', privilege: 'sysadmin' } as const;

/** Identity providers, for administrators. */
@Resolver()
export class IdentityProviderResolver {
  constructor(private readonly service: IdentityProvidersService) {}

  @Access(read)
  @Query(() => IdentityProviderConnection, { description: 'Those of the tenants that the caller administers.' })
  identityProviders(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<IdentityProviderView>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(read)
  @Query(() => IdentityProviderView, { description: 'An identity provider that the caller administers.' })
  identityProvider(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<IdentityProviderView> {
    return this.service.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => IdentityProviderView, {
    description: "Set an identity provider up; that of a tenant's administrator waits for a sysadmin.",
  })
  createIdentityProvider(
    @Arg('kind', () => IdentityProviderKind, { description: 'How it tells who people are.' }) kind: ProviderKind,
    @Arg('input', () => IdentityProviderInput, { description: 'Its settings.' }) input: IdentityProviderInput,
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, {
      nullable: true,
      description: "Whose people it knows; the caller's tenant by default.",
    })
    tenantId?: string | null,
  ): Promise<IdentityProviderView> {
    return this.service.create(callerOf(context), kind, input, tenantId);
  }

  @Access(write)
  @Mutation(() => IdentityProviderView, { description: 'Change an identity provider.' })
  updateIdentityProvider(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Arg('patch', () => IdentityProviderInput, { description: 'What is left out keeps its value.' })
    patch: IdentityProviderInput,
    @Ctx() context: RequestContext,
    @Arg('status', () => IdentityProviderStatus, { nullable: true, description: '`active` or `disabled`.' })
    status?: IdentityProviderStatus | null,
  ): Promise<IdentityProviderView> {
    return this.service.update(callerOf(context), id, patch, status);
  }

  @Access(decide)
  @Mutation(() => IdentityProviderView, { description: 'Let people sign in by a provider that waits for it.' })
  approveIdentityProvider(
    @Arg('id', () => ID, { description: 'Of the provider.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('revision', () => Int, { nullable: true, description: 'The one that was looked at; 409 where it is another.' })
    revision?: number | null,
  ): Promise<IdentityProviderView> {
    return this.service.approve(callerOf(context), id, revision);
  }

  @Access(write)
  @Mutation(() => IdentityProviderTest, { description: 'Try an identity provider as a sign-in would.' })
  testIdentityProvider(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<IdentityProviderTest> {
    return this.service.test(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Forget an identity provider that has no users.' })
  async deleteIdentityProvider(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
